import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { PASSKEY_NAME_LIMIT, PASSKEY_TEXTS } from './passkeys.ts'

// A file of its own, so that browser code, which imports passkeys.ts, loads no schema library.

const { refused } = PASSKEY_TEXTS
/** A binary value of a browser's answer. */
const base64url = z.string(refused).check(z.maxLength(8192, refused), z.regex(/^[\w-]+$/, refused))

/** What `navigator.credentials` answered, as JSON (WebAuthn §5.1). */
const answerWith = <T extends z.core.$ZodShape>(response: T) =>
  z.object(
    {
      id: base64url,
      rawId: base64url,
      type: z.literal('public-key', refused),
      response: z.object(response, refused),
    },
    refused,
  )

/** How browsers reach authenticators (WebAuthn §5.8.4); any other word is left out. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
const transports = z.pipe(
  z.array(z.string(refused)).check(z.maxLength(20, refused)),
  z.transform((names) => TRANSPORTS.filter((name) => names.includes(name))),
)

const registrationSchema = answerWith({
  clientDataJSON: base64url,
  attestationObject: base64url,
  transports: z._default(transports, []),
})
export type RegistrationResponse = z.output<typeof registrationSchema>

export const authenticationSchema = answerWith({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: z.optional(z.nullable(base64url)),
})
export type AuthenticationResponse = z.output<typeof authenticationSchema>

export const passkeyOptionsInput = z.object({
  for: z.enum(['register', 'sign-in', 'confirm'], refused),
})
export const registerPasskeyInput = z.object({ passkey: registrationSchema })
export const passkeySignInInput = z.object({ passkey: authenticationSchema })
export const renamePasskeyInput = z.object({
  name: textSchema(PASSKEY_NAME_LIMIT, { long: PASSKEY_TEXTS.longName, none: PASSKEY_TEXTS.name }).check(
    z.minLength(1, PASSKEY_TEXTS.name),
  ),
})
