import type { APIContext } from 'astro'
import { AppError } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { readForm } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { isForm, redirect } from '#server/forms.ts'
import { decideNotice, decideReportedClaim, type FoundDecision, listFoundReviews } from './reviews.server.ts'

const DECISIONS: Record<string, FoundDecision> = { keep: 'keep', delete: 'delete' }

/** The admin's page of what waits, whose forms it takes itself. The page has checked the proof of who they are. */
export async function handleFoundReviewPage(
  context: APIContext,
  isWritable: boolean,
): Promise<Awaited<ReturnType<typeof listFoundReviews>> | Response> {
  const { db, user } = context.locals
  const requester = { user, adminEmail: getEnv().adminEmail }
  if (context.request.method !== 'POST' || !isForm(context)) return listFoundReviews(db, requester)
  const form = await readForm(context)
  const id = form.get('id')
  const action = String(form.get('action') ?? '')
  const decision = Object.hasOwn(DECISIONS, action) ? DECISIONS[action] : undefined
  if (isWritable && decision && typeof id === 'string' && isUuid(id)) {
    const decide = form.get('kind') === 'claim' ? decideReportedClaim : decideNotice
    await decide(db, requester, id, decision).catch((error: unknown) => {
      // Decided or ended meanwhile: the list shows it.
      if (!(error instanceof AppError) || ![404, 409].includes(error.status)) throw error
    })
  }
  return redirect(lostPaths.adminFound)
}
