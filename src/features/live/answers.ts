import * as z from 'zod/mini'

// What `GET /api/events` sends (docs/product.md §15.1). Times in milliseconds. Browser files import the types only.

const count = z.int().check(z.minimum(0))

/** A comment as pages and the stream show it. */
export const commentAnswer = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  dog_id: z.uuid(),
  content: z.string(),
  created_at: z.int(),
  alias: z.string(),
  emoji: z.string(),
})

/** The same for its author, who alone sees it while it is hidden. */
export const ownCommentAnswer = z.extend(commentAnswer, {
  /** Why: it waits for its review (only one from versions before), or is hidden. */
  held: z.exactOptional(z.enum(['waits', 'hidden'])),
})

/** A notification of the bell (docs/product.md §26.4). */
export const notificationAnswer = z.object({
  id: z.uuid(),
  type: z.enum(['comment', 'like', 'other']),
  title: z.string(),
  content: z.string(),
  dog_id: z.nullable(z.uuid()),
  is_read: z.boolean(),
  created_at: z.int(),
  /** The dog's page; null where there is none. */
  path: z.nullable(z.string()),
  /** What can be switched off by itself: «Tal día» (`DELETE /api/account/memories`), alerts of lost dogs (`DELETE /api/lost-alerts`). */
  topic: z.exactOptional(z.enum(['memory', 'lost'])),
  /** The address of its dog's photo. */
  photo: z.exactOptional(z.string()),
  /** Of the account's security or a lost dog, for a week: it comes first while it is unread. */
  urgent: z.exactOptional(z.literal(true)),
})

/** A member liked a dog, or no longer does. */
export const likeEventAnswer = z.object({
  /** The like's own id; empty where `user_id` is. */
  id: z.string(),
  dog_id: z.uuid(),
  /** The member whose like it is; empty for everybody else than them where it was taken back. */
  user_id: z.string(),
  liked: z.boolean(),
  /** The dog's count afterwards. */
  likes: count,
  /** The dog's owner: their header counts the like. */
  owner_id: z.nullable(z.uuid()),
  discoverer_id: z.nullable(z.uuid()),
  created_at: z.int(),
})

/** A dog was added, changed or removed. A removed one comes with its id alone. */
export const dogEventAnswer = z.object({
  action: z.enum(['added', 'changed', 'removed']),
  id: z.uuid(),
  name: z.exactOptional(z.string()),
  breed: z.exactOptional(z.string()),
  path: z.exactOptional(z.string()),
  photo_url: z.exactOptional(z.string()),
  owner_id: z.exactOptional(z.nullable(z.uuid())),
  discoverer_id: z.exactOptional(z.nullable(z.uuid())),
  created_at: z.exactOptional(z.int()),
})

/** A comment was added or removed. */
export const commentEventAnswer = z.object({
  action: z.enum(['added', 'removed']),
  id: z.uuid(),
  dog_id: z.uuid(),
  /** The dog's count afterwards. */
  comments: count,
  /** The comment as lists show it, where it was added. */
  comment: z.exactOptional(commentAnswer),
})

/** A change in the member's bell. Sent to that member alone. */
export const notificationEventAnswer = z.object({
  unread: count,
  /** The notification that was added or changed; null where some were only read or deleted. */
  notification: z.nullable(notificationAnswer),
  /** The id of a notification that was deleted. */
  gone: z.exactOptional(z.uuid()),
  /** The id of a notification that was read, or all. */
  read: z.exactOptional(z.string()),
})
