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

/**
 * A sign-in: the member, and the session's end in milliseconds. Of an account that waits for its deletion: no member, and when it is due;
 * the session can undo the deletion (`POST /api/account/restore`) or end the account, and nothing else.
 */
export const openedSessionAnswer = z.object({
  user: z.nullable(currentUserAnswer),
  expiresAt: z.int(),
  deletion_due_at: z.exactOptional(z.int()),
})

/** What is left without a session. */
export const noSessionAnswer = z.object({ user: z.null(), expiresAt: z.null() })

/** A mail was accepted for sending; known and unknown addresses are answered alike. */
export const mailSentAnswer = z.object({ sent: z.literal(true) })

/** The same of a sign-in mail. Where the mailbox has had its mails, `notice` says until when the last one is good. */
export const signInMailAnswer = z.object({ sent: z.literal(true), notice: z.exactOptional(z.string()) })

/** A confirmed identity: until when the session counts as recently authenticated, in milliseconds. */
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
  /** Whether the account was not signed in with its device before; for a week. */
  new_device: z.boolean(),
})

/** One of a member's passkeys. Times in milliseconds. */
export const passkeyAnswer = z.object({
  id: z.uuid(),
  /** As its member calls it. */
  name: z.string(),
  /** Browser and system where it was made: «Firefox en Windows». */
  device: z.nullable(z.string()),
  created_at: z.int(),
  /** Its last sign-in or confirmation. */
  used_at: z.nullable(z.int()),
})

/** `POST /api/auth/passkeys/options`: what `navigator.credentials.create` or `get` is called with, as JSON (WebAuthn §5.1). */
export const passkeyOptionsAnswer = z.object({ options: z.record(z.string(), z.unknown()) })

/** `POST /api/auth/passkeys`: the new passkey, and its member's session. */
export const registeredPasskeyAnswer = z.object({
  passkey: passkeyAnswer,
  ...openedSessionAnswer.shape,
})

/** `PATCH /api/auth/passkeys/{id}` */
export const renamedPasskeyAnswer = z.object({ passkey: passkeyAnswer })

/** `POST /api/account/recovery-codes`: the codes, which are answered this once. */
export const recoveryCodesAnswer = z.object({ codes: z.array(z.string()) })

/** `POST /api/account/email/code`: the account's address from now on. */
export const confirmedEmailAnswer = z.object({ email: z.string() })

/** `POST /api/account/disown` and `POST /api/account/sessions/{id}/disown` */
export const disownedAnswer = z.object({ ended: z.literal(true) })

/** `POST /api/account/restore` */
export const restoredAnswer = z.object({ restored: z.literal(true) })

/** `POST /api/account/undo` */
export const undoneAnswer = z.object({ undone: z.literal(true) })
