import * as z from 'zod/mini'
import { askForAdminProof } from '#features/auth/recent-auth/admin-proof.http.ts'
import { REVIEW_DECISIONS, REVIEW_KINDS } from '#features/moderation/review.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, readForm, readJson, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { toAdminRequester } from '../admin.http.ts'
import { reviewedAnswer } from '../answers.ts'
import { decideReview } from './queue.server.ts'

const reviewInput = z.object({
  kind: z.enum(REVIEW_KINDS, 'No sabemos qué es.'),
  decision: z.enum(REVIEW_DECISIONS, 'Elige qué hacer.'),
})

/** `POST /api/admin/reviews/{id}` `{kind, decision}`, JSON or form: about something of a lost or found dog that waits. */
export const decideReviewItem = endpoint({ 200: reviewedAnswer, 303: null }, async (context) => {
  const unproved = await askForAdminProof(context)
  if (unproved) return unproved
  const [id, requester, { db }] = [pathId(context), toAdminRequester(context), context.locals]
  if (!isForm(context)) {
    const { kind, decision } = await readJson(context, reviewInput)
    await decideReview(db, requester, kind, id, decision)
    return { done: decision }
  }
  const form = await readForm(context)
  const { kind, decision } = validate(reviewInput, { kind: form.get('kind'), decision: form.get('decision') })
  await decideReview(db, requester, kind, id, decision).catch((error: unknown) => {
    // Decided or ended meanwhile: the list shows it.
    if (!(error instanceof AppError) || ![404, 409].includes(error.status)) throw error
  })
  const shown = String(form.get('clase') ?? '')
  return redirect(`${paths.adminQueue}&${new URLSearchParams({ ...(shown && { clase: shown }), hecho: 'decidido' })}`)
})
