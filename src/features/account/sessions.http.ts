import { endAllSessions, endSessionById, listOpenSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { askForProof } from '#features/auth/recent-auth/recent-auth.http.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, requireAuthenticatedMember, requireUser } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
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
export const endOtherSessions = formEndpoint({
  answers: { 200: noSessionAnswer },
  who: requireAuthenticatedMember,
  async save(context, member) {
    await endAllSessions(context.locals.db, member)
    clearSession(context)
    return { user: null, expiresAt: null }
  },
  done: () => paths.home,
  refused: askForProof,
})

/** DELETE or POST /api/account/sessions/{id}: ends one. */
export const endSession = formEndpoint({
  answers: { 204: null },
  who: requireAuthenticatedMember,
  async save(context, member) {
    const { db } = context.locals
    if (await endSessionById(db, member, pathId(context), sessionToken(context.cookies))) clearSession(context)
  },
  done: ({ locals }) => (locals.user === null ? paths.home : `${paths.account}?hecho=sesion#sesiones`),
  refused: askForProof,
})
