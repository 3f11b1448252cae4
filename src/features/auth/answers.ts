import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** The signed-in member. */
export const currentUserAnswer = z.object({
  id: z.uuid(),
  /** Null where the provider gave none. */
  email: z.nullable(z.string()),
  alias: z.string(),
  emoji: z.string(),
  verified: z.boolean(),
})

/** A sign-in: the member, and the session's end in milliseconds. */
export const openedSessionAnswer = z.object({ user: currentUserAnswer, expiresAt: z.int() })

/** What is left without a session. */
export const noSessionAnswer = z.object({ user: z.null(), expiresAt: z.null() })

/** A mail was accepted for sending; known and unknown addresses are answered alike. */
export const mailSentAnswer = z.object({ sent: z.literal(true) })

/** `POST /api/auth/confirm/code`: until when the session counts as recently authenticated, in milliseconds. */
export const confirmedAnswer = z.object({ provedUntil: z.int() })

/** One of a member's open sessions. Times in milliseconds. */
export const openSessionAnswer = z.object({
  /** Public id; neither the token nor its hash. */
  id: z.uuid(),
  device: z.nullable(z.string()),
  created_at: z.nullable(z.int()),
  expires_at: z.int(),
  /** Whether it is the session of the request. */
  current: z.boolean(),
})
