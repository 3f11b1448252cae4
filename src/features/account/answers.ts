import * as z from 'zod/mini'
import { currentUserAnswer, noSessionAnswer, openSessionAnswer } from '#features/auth/answers.ts'
import { eachSwitch, SWITCH_NAMES } from '#features/notifications/push/settings.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

const count = z.int().check(z.minimum(0))

/** A member's counts for the sidebar. */
export const memberCountsAnswer = z.object({
  dogs: count,
  breeds: count,
  /** Breeds in the catalogue. */
  total: count,
})

/** `GET /api/session` */
export const sessionAnswer = z.union([
  z.object({
    user: currentUserAnswer,
    expiresAt: z.nullable(z.int()),
    counts: memberCountsAnswer,
    /** Unread notifications. */
    unread: count,
    /** The id of the newest event, from which the page continues its live stream. */
    live: count,
  }),
  noSessionAnswer,
])

/** A like on one of the member's dogs by another member. */
export const newLikeAnswer = z.object({
  id: z.string(),
  dog_id: z.uuid(),
  user_id: z.uuid(),
  created_at: z.int(),
  alias: z.string(),
  /** The dog's name as shown. */
  dog: z.string(),
  path: z.nullable(z.string()),
})

/** One of the newest dogs of the community. */
export const newDogAnswer = z.object({
  id: z.uuid(),
  name: z.string(),
  breed: z.string(),
  owner_id: z.nullable(z.uuid()),
  discoverer_id: z.nullable(z.uuid()),
  created_at: z.int(),
  /** The member who added it. */
  alias: z.string(),
  path: z.nullable(z.string()),
})

/** `GET /api/activity`: what the header's two counters count and list; both newest first. */
export const activityAnswer = z.object({
  likes: z.array(newLikeAnswer),
  dogs: z.array(newDogAnswer),
  /** With `?with=likes`, as in `GET /api/likes`. */
  liked: z.exactOptional(z.array(z.uuid())),
})

/** `POST /api/unsubscribe` */
export const unsubscribedAnswer = z.object({ unsubscribed: z.literal(true) })

/** `GET /api/account/sessions` */
export const sessionsAnswer = z.object({ sessions: z.array(openSessionAnswer) })

/** `GET` and `PUT /api/account/notices`: preferences of push notifications and the weekly mail. */
export const notificationPreferencesAnswer = z.object({
  ...eachSwitch(SWITCH_NAMES, () => z.boolean()),
  /** The IANA time zone of `quiet`. */
  time_zone: z.string(),
  /** The hours without push messages, as «23:00»; null for none. */
  quiet: z.nullable(z.object({ from: z.string(), to: z.string() })),
})
