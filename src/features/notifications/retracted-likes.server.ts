import { createHmac } from 'node:crypto'
import type { Trx } from '#db/client.ts'
import { hashSecret, issueSecret, peekSecret } from '#features/secrets/secrets.server.ts'
import { siteKey } from '#features/storage/site-key.server.ts'

/** What its recipient knows of a like that was taken back. */
export interface RetractedLike {
  /** When the like was given first, ms. */
  likedAt: number
  /** When the notification last became unread by a new like, ms. */
  notifiedAt: number
  /** Whether the recipient had read it. */
  wasRead: boolean
}

/** The recipient of the notification, the member whose like it was, and the dog. */
export type LikeKey = readonly [userId: string, actorId: string, dogId: string]

const KIND = 'retracted-like'

/** Under the site's key: who reads the table cannot tell whose like it was by trying ids. */
const secretOf = (key: LikeKey): string => createHmac('sha256', siteKey()).update(key.join(' ')).digest('base64url')

/** By what a row of `secrets` has a like that was taken back at most a day ago. */
export const hashRetractedLike = (key: LikeKey): string => hashSecret(secretOf(key))

/** What such a row is about; undefined without one. */
export const readRetractedLike = (about: string | null | undefined): RetractedLike | undefined =>
  about ? (JSON.parse(about) as RetractedLike) : undefined

/** Remembers for a day a like that is being taken back. What was known of it from an earlier time stays. */
export async function rememberRetractedLike(trx: Trx, key: LikeKey, like: RetractedLike, now: number): Promise<void> {
  const earlier = readRetractedLike((await peekSecret(trx, KIND, secretOf(key), now))?.about)
  const about = JSON.stringify({ ...like, ...earlier, wasRead: like.wasRead || (earlier?.wasRead ?? false) })
  await issueSecret(trx, KIND, { about }, now, { secret: secretOf(key) })
}
