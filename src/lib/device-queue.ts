// What waits on this device for the network: new dogs and sightings. Each queue stores its own; the rules of sending are the same.

/**
 * `waiting` for the network, `signed-out` until its member signs in, `stuck` until the person edits, retries or discards
 * it, `sent` until a page has notified the person.
 */
export type QueueState = 'waiting' | 'signed-out' | 'stuck' | 'sent'

export interface QueuedItem {
  /** Also the Idempotency-Key: repeated sends arrive once. */
  id: string
  /** The member who wrote it, in whose session alone it is sent; null for a visitor. */
  member: string | null
  createdAt: number
  state: QueueState
  /** Server failures since the person last retried. */
  tries: number
  /** The earliest time of the next try, ms since 1970. */
  notBefore: number
  /** The message shown; '' without one. */
  problem: string
}

/** The state of what has just been queued. */
export const FRESH = { state: 'waiting', tries: 0, notBefore: 0, problem: '' } as const satisfies Partial<QueuedItem>
