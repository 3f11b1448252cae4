// What waits on this device for the network: its states, when it is sent, what becomes of it, and who sees it.

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

/** After this many server failures it is `stuck`. */
export const MAX_TRIES = 3
/** The delay after the first failure, and its factor after each further one. */
const FIRST_RETRY_DELAY_MS = 2000
const RETRY_BACKOFF_FACTOR = 4
/** The delay after a 429, which does not count as a failure. */
const RATE_LIMITED_DELAY_MS = 60_000

/** A send that failed: without a response, or refused with its status and message. */
export type SendFailure = { kind: 'broken' } | { kind: 'refused'; status: number; message: string }

export interface QueueTexts {
  waiting: string
  /** The device's storage is full. */
  full: string
  /** The device stores nothing at all. */
  notStored: string
  signedOut: string
  otherMembers: string
  serverFails: string
  refused: (status: number) => string
  sending: (share: number) => string
}

/** What waits, after a send that failed. It never leaves the queue here: only the person discards it. */
export function afterFailure<T extends QueuedItem>(item: T, failure: SendFailure, texts: QueueTexts, now: number): T {
  if (failure.kind === 'broken') return { ...item, state: 'waiting', problem: '' }
  const { status, message } = failure
  if (status === 401) return { ...item, state: 'signed-out', problem: texts.signedOut }
  if (status === 429) return { ...item, state: 'waiting', notBefore: now + RATE_LIMITED_DELAY_MS }
  // A proxy may refuse too, without a message of ours.
  if (isRefusal(status)) return { ...item, state: 'stuck', problem: message || texts.refused(status) }
  const failed = { ...item, tries: item.tries + 1 }
  if (failed.tries >= MAX_TRIES) return { ...failed, state: 'stuck', problem: texts.serverFails }
  return {
    ...failed,
    state: 'waiting',
    notBefore: now + FIRST_RETRY_DELAY_MS * RETRY_BACKOFF_FACTOR ** (failed.tries - 1),
  }
}

const isRefusal = (status: number): boolean => status >= 300 && status < 500

/** Whether the server may have it although no response said so: none came, or a gateway's timeout, or another server's page. */
export const mayHaveArrived = (failure: SendFailure): boolean => failure.kind === 'broken' || !isRefusal(failure.status)

/** Whether its state and delay allow a send now. */
export const isDue = ({ state, notBefore }: QueuedItem, now: number): boolean =>
  (state === 'waiting' && notBefore <= now) || state === 'signed-out'

/**
 * How long to wait before the next try of the queue, ms; undefined where nothing waits.
 * @param checkIntervalMs the delay for what waits for the network only
 */
export function nextTryDelay(items: readonly QueuedItem[], now: number, checkIntervalMs: number): number | undefined {
  const delays = items
    .filter(({ state }) => state === 'waiting')
    .map(({ notBefore }) => (notBefore > now ? notBefore - now : checkIntervalMs))
  return delays.length > 0 ? Math.min(...delays) : undefined
}

/** Reset for a retry by the person, as if it had never been tried. */
export const resetForRetry = <T extends QueuedItem>(item: T): T =>
  item.state === 'sent' ? item : { ...item, ...FRESH }

/** Whether the device's member may see and edit it: its own member may, and anyone may a visitor's. */
export const mayOpen = (item: QueuedItem, member: string | null): boolean =>
  item.member === null || item.member === member

/** Whether a panel lists it: the member's own and visitors'; signed out, also other members', without details. */
export const isListedFor = (item: QueuedItem, member: string | null): boolean =>
  item.member === null || member === null || item.member === member
