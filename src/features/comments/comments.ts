import type * as z from 'zod/mini'
import type { ownCommentAnswer } from '#features/live/answers.ts'
import { normaliseText } from '#lib/text/normalise.ts'
import { countCharacters } from '#lib/text/text.ts'
import type { addedCommentAnswer, commentsAnswer } from './answers.ts'

/** A comment as pages and the stream show it; `created_at` in milliseconds. */
export type Comment = z.output<typeof ownCommentAnswer>

/** A page of a dog's comments, newest first. */
export type CommentPage = z.output<typeof commentsAnswer>

/** The answer to a new comment. */
export type AddedComment = z.output<typeof addedCommentAnswer>

/** The longest comment, in grapheme clusters (docs/product.md §12.2). */
export const COMMENT_LIMIT = 300

/** The largest comment in bytes: a single grapheme cluster can have thousands. 300 emoji of a family of four fit. */
export const COMMENT_MAX_BYTES = 8 * 1024

/** Comments per page: by default, and at most. */
export const COMMENTS_PAGE_SIZE = 20
export const COMMENTS_PAGE_MAX = 100
/** Bytes of text per page, which ends before the comment that goes beyond it: a hundred of the heaviest have 800 kB. */
export const COMMENTS_PAGE_MAX_BYTES = 64 * 1024

export const COMMENT_TEXTS = {
  empty: 'Escribe un comentario.',
  long: `El comentario no puede tener más de ${COMMENT_LIMIT} caracteres.`,
  fast: 'Vas muy deprisa: espera un momento antes de escribir otro comentario.',
  many: 'Ya has escrito muchos comentarios en una hora. Descansa un rato y sigue después.',
  manyBytes: 'Hoy ya has escrito muchísimo. Mañana podrás seguir.',
  heavy: 'El comentario ocupa demasiado: usa menos emojis o signos.',
  limit: `El límite debe estar entre 1 y ${COMMENTS_PAGE_MAX}.`,
} as const

/** «1 comentario», «3 comentarios» */
export const commentCount = (count: number): string => `${count} ${count === 1 ? 'comentario' : 'comentarios'}`

/** A comment as it is stored: as typed, without invisible characters and spare space. It is escaped where it is shown. */
export const tidyComment = normaliseText

/** The reason why a tidied comment is refused, as a text to show; null when it is valid. */
export function commentProblem(text: string): string | null {
  if (normaliseText(text) === '') return COMMENT_TEXTS.empty
  if (text.length > COMMENT_MAX_BYTES || new TextEncoder().encode(text).length > COMMENT_MAX_BYTES)
    return COMMENT_TEXTS.heavy
  return countCharacters(text) > COMMENT_LIMIT ? COMMENT_TEXTS.long : null
}
