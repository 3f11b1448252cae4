import { endAllSessions, endSessionById, listOpenSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { isForm, redirect } from '#server/forms.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, requireAuthenticatedMember, requireUser } from '#server/endpoint.ts'
import { clearSession, sessionToken } from '#features/auth/sessions/session.http.ts'
import { noSessionAnswer } from '#features/auth/answers.ts'
import { sessionsAnswer } from './answers.ts'
import type { APIContext } from 'astro'

// The member's open sessions. JSON clients use DELETE; plain forms, which cannot, POST to the same addresses.

/** GET /api/account/sessions: lists them. */
export const listSessions = endpoint({ 200: sessionsAnswer }, async (context) => {
  const user = requireUser(context)
  return { sessions: await listOpenSessions(context.locals.db, user.id, sessionToken(context.cookies)) }
})

/** DELETE or POST /api/account/sessions: ends all of them, this one included. */
export const endOtherSessions = endpoint({ 200: noSessionAnswer, 303: null }, async (context) => {
  if (isForm(context) && !context.locals.user) return redirect(paths.login)
  const redirected = await orAskForConfirmation(context, () =>
    endAllSessions(context.locals.db, requireAuthenticatedMember(context)),
  )
  if (redirected instanceof Response) return redirected
  clearSession(context)
  return isForm(context) ? redirect(paths.home) : { user: null, expiresAt: null }
})

/** DELETE or POST /api/account/sessions/{id}: ends one. */
export const endSession = endpoint({ 204: null, 303: null }, async (context) => {
  if (isForm(context) && !context.locals.user) return redirect(paths.login)
  const member = requireAuthenticatedMember(context)
  const id = pathId(context)
  const wasCurrent = await orAskForConfirmation(context, () =>
    endSessionById(context.locals.db, member, id, sessionToken(context.cookies)),
  )
  if (wasCurrent instanceof Response) return wasCurrent
  if (wasCurrent) clearSession(context)
  if (!isForm(context)) return new Response(null, { status: 204 })
  return redirect(wasCurrent ? paths.home : `${paths.account}?hecho=sesion#sesiones`)
})

/** What `action` returns; a form without recent authentication is led to the confirmation. */
async function orAskForConfirmation<T>(context: APIContext, action: () => Promise<T>): Promise<T | Response> {
  try {
    return await action()
  } catch (error) {
    if (!isForm(context) || !isRecentSignInError(error)) throw error
    return redirect(paths.accountConfirm('pide'))
  }
}
