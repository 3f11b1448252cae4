import * as z from 'zod/mini'
import { typedText } from '#features/moderation/typed.ts'

/** A member as the admin alone sees them: with their address. */
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

export interface AdminDog {
  id: string
  name: string
  breed: string
  path: string
  photo_url: string
  created_at: number
  likes: number
  comments: number
  /** Who added or claimed it; null for an anonymous dog. */
  addedBy: { id: string; alias: string } | null
}

export interface AdminPage<T> {
  rows: T[]
  nextCursor: string | null
}

export const ADMIN_PAGE = 50
/** The longest word to a member, in characters as a person counts them. */
export const WORD_LIMIT = 300
/** The title it has in the member's bell. */
export const WORD_TITLE = 'Un mensaje de Perrario'

export const ADMIN_TEXTS = {
  verified: 'Di si el perfil está verificado.',
  empty: 'Escribe un mensaje.',
  long: `El mensaje no puede tener más de ${WORD_LIMIT} caracteres.`,
} as const

export const verifiedInput = z.object({ verified: z.boolean(ADMIN_TEXTS.verified) })

export const wordInput = z.object({
  content: typedText(WORD_LIMIT, { long: ADMIN_TEXTS.long, none: ADMIN_TEXTS.empty }).check(
    z.minLength(1, ADMIN_TEXTS.empty),
  ),
})
