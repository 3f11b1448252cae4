import type * as z from 'zod/mini'
import { newCountLabel } from '#features/dogs/today/today.ts'
import { badgeText } from '#features/notifications/notifications.ts'
import type { activityAnswer, newDogAnswer, newLikeAnswer } from '../answers.ts'

/** A like on one of the member's dogs by another member. */
export type NewLike = z.output<typeof newLikeAnswer>

/** One of the newest dogs of the community. */
export type NewDog = z.output<typeof newDogAnswer>

/** What the header's two counters count and list; both newest first. */
export type Activity = z.output<typeof activityAnswer>

/** Number of newest dogs considered (docs/product.md §3.5). */
export const NEWEST_DOGS = 20
/** Maximum of listed likes; the counter says «99+» long before. */
export const MAX_LIKES_LISTED = 120
/** How far back the server reads: longer than a day in any time zone. */
export const ACTIVITY_WINDOW_MS = 25 * 60 * 60 * 1000

/** The device's own midnight (docs/product.md §1.2: «new» counts from local midnight onward). */
export const startOfLocalDay = (now: number): number => new Date(now).setHours(0, 0, 0, 0)

/** Read items: id and creation time (ms), by which older ones are pruned. */
export type ReadList = Readonly<Record<string, number>>

/** `read` without items older than today, which are never counted again. */
export const pruneReadList = (read: ReadList, midnight: number): ReadList =>
  Object.fromEntries(Object.entries(read).filter(([, time]) => typeof time === 'number' && time >= midnight))

/** Today's likes. */
export const todaysLikes = ({ likes }: Activity, midnight: number): NewLike[] =>
  likes.filter(({ created_at }) => created_at >= midnight)

/** Today's dogs that others added. */
export const todaysDogs = ({ dogs }: Activity, midnight: number, me: string): NewDog[] =>
  dogs.filter((dog) => dog.created_at >= midnight && dog.owner_id !== me && dog.discoverer_id !== me)

export const countUnread = (items: readonly { id: string }[], read: ReadList): number =>
  items.filter(({ id }) => !Object.hasOwn(read, id)).length

/** «3 likes nuevos»: the number and its words. */
export function counterTexts(kind: 'likes' | 'dogs', count: number): [number: string, words: string] {
  return [badgeText(count), newCountLabel(kind, count)]
}
