import * as z from 'zod/mini'
import { commentAnswer, ownCommentAnswer } from '#features/live/answers.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** A page of a dog's comments as visitors are answered, newest first. */
export const publicCommentsAnswer = z.object({
  comments: z.array(commentAnswer),
  nextCursor: z.nullable(z.string()),
})

/** `GET /api/dogs/{id}/comments`: the same, with the requesting member's own hidden comments. */
export const commentsAnswer = z.object({
  comments: z.array(ownCommentAnswer),
  nextCursor: z.nullable(z.string()),
})

/** `POST /api/dogs/{id}/comments` */
export const addedCommentAnswer = z.object({ comment: commentAnswer })
