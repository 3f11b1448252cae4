import type { Trx } from '#db/client.ts'
import { createNotes } from '#db/dialect/node-memory.ts'
import { DAY_MS } from '#lib/time.ts'

/** What its recipient knows of a like that was taken back. */
export interface RetractedLike {
  /** When the like was given first, ms. */
  likedAt: number
  /** When the notification last became unread by a new like, ms. */
  notifiedAt: number
  /** Whether the recipient had read it. */
  wasRead: boolean
}

/** Likes taken back that a process remembers, some 300 bytes each: the least recent are forgotten beyond it. */
const MAX_RETRACTED_LIKES = 20_000

interface Entry extends RetractedLike {
  retractedAt: number
}

const entries = createNotes<Entry>('retracted like', MAX_RETRACTED_LIKES)

/** The recipient of the notification, the member whose like it was, and the dog. */
export type LikeKey = readonly [userId: string, actorId: string, dogId: string]

/** A like by its key, and the time at which it is asked for, ms. */
export interface LikeRequest {
  key: LikeKey
  now: number
}

const textOf = (key: LikeKey): string => key.join(' ')

/**
 * Those of several likes that were taken back at most a day before they are asked for. In memory: a restart forgets it, and where nodes
 * share theirs the end of the day.
 * @returns finds one of them; undefined for one that was not taken back
 */
export async function readRetractedLikes(
  trx: Trx,
  asked: readonly LikeRequest[],
): Promise<(like: LikeRequest) => RetractedLike | undefined> {
  const found = await entries.readAll(
    trx,
    asked.map(({ key }) => textOf(key)),
  )
  return ({ key, now }) => {
    const entry = found.get(textOf(key))
    return entry && Math.abs(now - entry.retractedAt) < DAY_MS ? entry : undefined
  }
}

/** Remembers a like that is being taken back. What was known of it from an earlier time stays. */
export async function rememberRetractedLike(trx: Trx, key: LikeKey, like: RetractedLike, now: number): Promise<void> {
  const asked = { key, now }
  const earlier = (await readRetractedLikes(trx, [asked]))(asked)
  await entries.write(trx, textOf(key), {
    likedAt: earlier?.likedAt ?? like.likedAt,
    notifiedAt: earlier?.notifiedAt ?? like.notifiedAt,
    wasRead: like.wasRead || (earlier?.wasRead ?? false),
    retractedAt: now,
  })
}
