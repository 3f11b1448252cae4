import * as z from 'zod/mini'
import { ADMIN_FORM, adminProofStep } from '#features/auth/recent-auth/admin-proof.http.ts'
import { REVIEW_DECISIONS, REVIEW_KINDS } from '#features/moderation/review.ts'
import { paths } from '#lib/paths.ts'
import { pathId } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { reviewedAnswer } from '../answers.ts'
import { decideReview } from './queue.server.ts'

const reviewInput = z.object({
  kind: z.enum(REVIEW_KINDS, 'No sabemos qué es.'),
  decision: z.enum(REVIEW_DECISIONS, 'Elige qué hacer.'),
})

/** `POST /api/admin/reviews/{id}` `{kind, decision}`, JSON or form: about something of a lost or found dog that waits. */
export const decideReviewItem = formEndpoint({
  answers: { 200: reviewedAnswer },
  ...ADMIN_FORM,
  input: reviewInput,
  async save(context, requester, { kind, decision }) {
    await decideReview(context.locals.db, requester, kind, pathId(context), decision)
    return { done: decision }
  },
  done: (_, __, form) => queuePath(form),
  // Decided or ended meanwhile: the list shows it.
  refused: (_, error, form) => ([404, 409].includes(error.status) ? queuePath(form) : adminProofStep(error)),
})

function queuePath(form: FormData): string {
  const shown = String(form.get('clase') ?? '')
  return `${paths.adminQueue}&${new URLSearchParams({ ...(shown && { clase: shown }), hecho: 'decidido' })}`
}
