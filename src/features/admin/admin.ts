import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'

/** A member as only the admin sees them: with their e-mail address. `created_at` in milliseconds. */
export interface AdminMember {
  id: string
  alias: string
  emoji: string
  verified: boolean
  email: string | null
  created_at: number
  dogs: number
  breeds: number
  likes: number
}

/** A dog in the admin's list. `created_at` in milliseconds. */
export interface AdminDog {
  id: string
  name: string
  breed: string
  path: string
  photo_url: string
  created_at: number
  likes: number
  comments: number
  /** The member who added or claimed it; null for an anonymous dog. */
  addedBy: { id: string; alias: string } | null
}

export interface AdminPage<T> {
  rows: T[]
  nextCursor: string | null
}

export const ADMIN_PAGE_SIZE = 50
/** Maximum length of a message to a member, in characters as a person counts them. */
export const MEMBER_MESSAGE_LIMIT = 300

export const ADMIN_TEXTS = {
  verified: 'Di si el perfil está verificado.',
  seen: 'Falta el nombre que has visto.',
  renamed: 'Ya no se llama así. Mira su nombre otra vez antes de verificarlo.',
  empty: 'Escribe un mensaje.',
  long: `El mensaje no puede tener más de ${MEMBER_MESSAGE_LIMIT} caracteres.`,
} as const

/** Mails in a row that must fail before the admin hears of it: a few addresses that do not exist are no news. */
const FAILED_MAILS_SHOWN_FROM = 3

/**
 * What /admin says of the sign-in mails; null while they go out.
 * @param failedInARow mails given up since the last one that the mail server accepted
 */
export function mailProblem(isDelivering: boolean, failedInARow: number): string | null {
  if (!isDelivering) return 'El correo no sale y nadie puede entrar por email. El registro del servidor dice por qué.'
  if (failedInARow < FAILED_MAILS_SHOWN_FROM) return null
  return `Los últimos ${failedInARow} correos no se han podido enviar. El registro del servidor dice por qué.`
}

export const verifiedInput = z
  .object({
    verified: z.boolean(ADMIN_TEXTS.verified),
    /** The alias that the admin has seen: the badge vouches for it. */
    alias: z.optional(z.string(ADMIN_TEXTS.seen).check(z.maxLength(200, ADMIN_TEXTS.seen))),
  })
  .check(
    z.refine(({ verified, alias }) => !verified || alias !== undefined, { error: ADMIN_TEXTS.seen, path: ['alias'] }),
  )
export type VerifiedInput = z.output<typeof verifiedInput>

export const memberMessageInput = z.object({
  content: textSchema(MEMBER_MESSAGE_LIMIT, { long: ADMIN_TEXTS.long, none: ADMIN_TEXTS.empty }).check(
    z.minLength(1, ADMIN_TEXTS.empty),
  ),
})
