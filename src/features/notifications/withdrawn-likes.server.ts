import { LRUCache } from 'lru-cache'
import { DAY_MS } from '#lib/time.ts'

/** What its recipient knows of a like that was taken back. */
export interface WithdrawnLike {
  /** When the like was given first, ms. */
  likedAt: number
  /** When the notification last became unread by a new like, ms. */
  notifiedAt: number
  /** Whether the recipient had read it. */
  wasRead: boolean
}

/** Likes taken back that are remembered, some 300 bytes each: the least recent are forgotten beyond it. */
const MAX_WITHDRAWN_LIKES = 20_000

interface Entry extends WithdrawnLike {
  withdrawnAt: number
}

const entries = new LRUCache<string, Entry>({ max: MAX_WITHDRAWN_LIKES })

/** The recipient of the notification, the member whose like it was, and the dog. */
export type LikeKey = readonly [userId: string, actorId: string, dogId: string]

/** A like that was taken back at most a day before `now` (ms); undefined for any other. In memory: a restart forgets it. */
export function findWithdrawnLike(key: LikeKey, now: number): WithdrawnLike | undefined {
  const entry = entries.get(key.join(' '))
  return entry && Math.abs(now - entry.withdrawnAt) < DAY_MS ? entry : undefined
}

/** Remembers a like that is being taken back. What was known of it from an earlier time stays. */
export function rememberWithdrawnLike(key: LikeKey, like: WithdrawnLike, now: number): void {
  const earlier = findWithdrawnLike(key, now)
  entries.set(key.join(' '), {
    likedAt: earlier?.likedAt ?? like.likedAt,
    notifiedAt: earlier?.notifiedAt ?? like.notifiedAt,
    wasRead: like.wasRead || (earlier?.wasRead ?? false),
    withdrawnAt: now,
  })
}
