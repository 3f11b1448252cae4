import type { CommentEvent } from '#features/live/live.ts'
import { countCharacters, normaliseText } from '#lib/text/text.ts'

/** A comment as it is shown, on the page and over the stream; `created_at` in milliseconds. */
export type Comment = NonNullable<CommentEvent['comment']>

/** A page of a dog's comments, newest first. */
export interface CommentPage {
  comments: Comment[]
  nextCursor: string | null
}

/** The longest comment, in characters as a person counts them (docs/product.md §12.2). */
export const COMMENT_LIMIT = 300

/** The most bytes of one: a single visible character can be made of thousands. 300 families of four fit. */
export const COMMENT_MAX_BYTES = 8 * 1024

/** How many comments a page brings unless asked for fewer or more, and at most. */
export const COMMENTS_PAGE_SIZE = 20
export const COMMENTS_PAGE_MAX = 100

export const COMMENT_TEXTS = {
  empty: 'Escribe un comentario.',
  long: `El comentario no puede tener más de ${COMMENT_LIMIT} caracteres.`,
  heavy: 'El comentario ocupa demasiado: usa menos emojis o signos.',
  limit: `El límite debe estar entre 1 y ${COMMENTS_PAGE_MAX}.`,
} as const

/** «1 comentario», «3 comentarios» */
export const commentCount = (count: number): string => `${count} ${count === 1 ? 'comentario' : 'comentarios'}`

/** A comment as it is kept: as typed, without what nobody typed. It is escaped when shown, never cleaned here. */
export const tidyComment = normaliseText

/** What is wrong with a tidied comment, as a sentence; null when it may be sent. */
export function commentProblem(text: string): string | null {
  if (normaliseText(text) === '') return COMMENT_TEXTS.empty
  if (text.length > COMMENT_MAX_BYTES || new TextEncoder().encode(text).length > COMMENT_MAX_BYTES)
    return COMMENT_TEXTS.heavy
  return countCharacters(text) > COMMENT_LIMIT ? COMMENT_TEXTS.long : null
}
