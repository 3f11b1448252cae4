import type { APIContext } from 'astro'
import { createMemberLink, endMemberLink } from '#features/profiles/member-links.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readForm, requireUser } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { claimRequest } from '#server/idempotency.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { yearLinkAnswer } from './answers.ts'
import { yearPaths } from './year-paths.ts'
import { closedYearText, isYearOpen, parseYear, YEAR_TEXTS, yearLink } from './years.ts'

/** Links made and taken back by one member. */
const LINK_CHANGES_PER_WINDOW = 30
const WINDOW_SECONDS = 600
const FORM_MAX_BYTES = 4 * 1024

/** The year of the address. @throws AppError 404 where it cannot be looked back on */
export function pathYear({ params }: Pick<APIContext, 'params'>, now: number): number {
  const year = parseYear(params.year)
  if (year === null) throw notFound(YEAR_TEXTS.noYear)
  if (!isYearOpen(year, now)) throw notFound(closedYearText(year, now))
  return year
}

async function requireUserWithinLimit(context: APIContext) {
  const user = requireUser(context)
  await limit('year-link', user.id, LINK_CHANGES_PER_WINDOW, WINDOW_SECONDS)
  return user
}

/** `POST /api/years/{year}/link`: makes the link, also from the page's form, where `que=retirar` takes it back. */
export const createLink = endpoint({ 201: yearLinkAnswer, 303: null }, async (context) => {
  const now = Date.now()
  const { db } = context.locals
  if (!isForm(context)) {
    const user = await requireUserWithinLimit(context)
    const year = pathYear(context, now)
    await claimRequest(context, '')
    return { path: yearPaths.of(year, await createMemberLink(db, user, yearLink(year), now)) }
  }
  const form = await readForm(context, FORM_MAX_BYTES)
  if (!context.locals.user) return redirect(paths.login)
  const year = pathYear(context, now)
  try {
    const user = await requireUserWithinLimit(context)
    if (form.get('que') === 'retirar') {
      await endMemberLink(db, user.id, yearLink(year))
      return redirect(`${yearPaths.of(year)}?enlace=retirado#enlace`)
    }
    return redirect(`${yearPaths.of(year, await createMemberLink(db, user, yearLink(year), now))}#enlace`)
  } catch (error) {
    // The page says why a banned member makes none, and that the limit is reached.
    const done = error instanceof AppError ? ({ 403: 'veto', 429: 'muchos' } as const)[error.status] : undefined
    if (done === undefined) throw error
    return redirect(`${yearPaths.of(year)}?enlace=${done}#enlace`)
  }
})

/** `DELETE /api/years/{year}/link`: takes the link back; idempotent. */
export const deleteLink = endpoint({ 204: null }, async (context) => {
  const user = await requireUserWithinLimit(context)
  await endMemberLink(context.locals.db, user.id, yearLink(pathYear(context, Date.now())))
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
})
