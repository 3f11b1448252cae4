import { createHash } from 'node:crypto'

/** An Idempotency-Key with its sender, since two people may choose the same key. */
export interface RequestKey {
  /** The member's id, or `anonymous`. */
  sender: string
  key: string
}

/** What is stored of a key. @param kind of the request: the same key may stand on another @returns SHA-256, base64url */
export const hashRequestKey = (kind: string, { sender, key }: RequestKey): string =>
  createHash('sha256').update([kind, sender, key].join('\0')).digest('base64url')
