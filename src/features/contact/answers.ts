import * as z from 'zod/mini'

// JSON answers of this feature's endpoints.

export const messageAnswer = z.object({
  id: z.string(),
  /** Whether the reader wrote it. */
  mine: z.boolean(),
  text: z.string(),
  /** Why it is folded; null: it is not. */
  warning: z.nullable(z.enum(['money', 'link', 'words', 'phone'])),
  created_at: z.int(),
})

/** `GET /api/messages/{id}`: the oldest first. */
export const threadAnswer = z.object({
  id: z.string(),
  /** The reader's: `member` has the account, `finder` saw or found the dog. */
  side: z.enum(['member', 'finder']),
  /** Whether it is about a lost dog or a found one. */
  kind: z.enum(['lost', 'found']),
  /** The lost dog's name; null of a found one, and while it is hidden. */
  dog: z.nullable(z.string()),
  /** The page of the dog or of the notice; null while it is hidden. */
  about: z.nullable(z.string()),
  /** How the other side is named to the reader. */
  other: z.string(),
  /** Why nothing can be written now; null: it can. */
  stop: z.nullable(z.enum(['unanswered', 'ended', 'blocked', 'away', 'hidden', 'full'])),
  messages: z.array(messageAnswer),
})

/** `POST /api/messages/{id}` */
export const sentMessageAnswer = z.object({ id: z.string() })

/** `POST /api/messages/{id}/report`, also of a message that is reported already. */
export const reportedMessageAnswer = z.object({ reported: z.literal(true) })

/** `POST /api/message-mails/confirm` */
export const addressConfirmedAnswer = z.object({ confirmed: z.literal(true) })
