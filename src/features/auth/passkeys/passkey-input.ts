import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { PASSKEY_NAME_LIMIT, PASSKEY_TEXTS } from './passkeys.ts'

// A file of its own, so that browser code, which imports passkeys.ts, loads no schema library.

/** Maximum length of one binary value of a browser's answer, in base64url. */
const MAX_VALUE_CHARS = 8192

const base64url = z
  .string(PASSKEY_TEXTS.refused)
  .check(z.maxLength(MAX_VALUE_CHARS, PASSKEY_TEXTS.refused), z.regex(/^[\w-]+$/, PASSKEY_TEXTS.refused))

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key', PASSKEY_TEXTS.refused),
}

/** How browsers reach authenticators (WebAuthn §5.8.4); any other word is left out. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** What `navigator.credentials.create` answered, as JSON (RegistrationResponseJSON, WebAuthn §5.1). */
export const registrationSchema = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: z._default(
          z.pipe(
            z.array(z.string(PASSKEY_TEXTS.refused)).check(z.maxLength(20, PASSKEY_TEXTS.refused)),
            z.transform((names) => TRANSPORTS.filter((name) => names.includes(name))),
          ),
          [],
        ),
      },
      PASSKEY_TEXTS.refused,
    ),
  },
  PASSKEY_TEXTS.refused,
)
export type RegistrationResponse = z.output<typeof registrationSchema>

/** What `navigator.credentials.get` answered, as JSON (AuthenticationResponseJSON, WebAuthn §5.1). */
export const authenticationSchema = z.object(
  {
    ...credential,
    response: z.object(
      {
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: z.optional(z.nullable(base64url)),
      },
      PASSKEY_TEXTS.refused,
    ),
  },
  PASSKEY_TEXTS.refused,
)
export type AuthenticationResponse = z.output<typeof authenticationSchema>

export const passkeyOptionsInput = z.object({
  for: z.enum(['register', 'sign-in', 'confirm'], PASSKEY_TEXTS.refused),
})
export const registerPasskeyInput = z.object({ passkey: registrationSchema })
export const passkeySignInInput = z.object({ passkey: authenticationSchema })
export const renamePasskeyInput = z.object({
  name: textSchema(PASSKEY_NAME_LIMIT, { long: PASSKEY_TEXTS.longName, none: PASSKEY_TEXTS.name }).check(
    z.minLength(1, PASSKEY_TEXTS.name),
  ),
})
