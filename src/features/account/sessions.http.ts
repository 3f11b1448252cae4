import { endAllSessions, endSessionById, listOpenSessions } from '#features/auth/sessions/sessions.server.ts'
import { isForm, redirect } from '#server/forms.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, requireUser } from '#server/endpoint.ts'
import { clearSession, sessionToken } from '#features/auth/sessions/session.http.ts'
import { noSessionAnswer } from '#features/auth/answers.ts'
import { sessionsAnswer } from './answers.ts'

// The member's open sessions. JSON clients use DELETE; plain forms, which cannot, POST to the same addresses.

/** GET /api/account/sessions: lists them. */
export const listSessions = endpoint({ 200: sessionsAnswer }, async (context) => {
  const user = requireUser(context)
  return { sessions: await listOpenSessions(context.locals.db, user.id, sessionToken(context.cookies)) }
})

/** DELETE or POST /api/account/sessions: ends all of them, this one included. */
export const endOtherSessions = endpoint({ 200: noSessionAnswer, 303: null }, async (context) => {
  if (isForm(context) && !context.locals.user) return redirect(paths.login)
  await endAllSessions(context.locals.db, requireUser(context).id)
  clearSession(context)
  return isForm(context) ? redirect(paths.home) : { user: null, expiresAt: null }
})

/** DELETE or POST /api/account/sessions/{id}: ends one. */
export const endSession = endpoint({ 204: null, 303: null }, async (context) => {
  if (isForm(context) && !context.locals.user) return redirect(paths.login)
  const user = requireUser(context)
  const wasCurrent = await endSessionById(context.locals.db, user.id, pathId(context), sessionToken(context.cookies))
  if (wasCurrent) clearSession(context)
  if (!isForm(context)) return new Response(null, { status: 204 })
  return redirect(wasCurrent ? paths.home : `${paths.account}?hecho=sesion#sesiones`)
})
