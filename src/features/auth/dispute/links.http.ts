import type { APIContext, AstroGlobal } from 'astro'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { clearSession } from '#features/auth/sessions/session.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, readForm, readJson, requireAuthenticatedMember, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { disownedAnswer, undoneAnswer } from '../answers.ts'
import { authPaths } from '../auth-paths.ts'
import { type DisputeLink, DISPUTE_LINKS, linkInput, type LinkKind } from './links.ts'
import { disownSession, disputeByLink, inspectDisputeLink } from './links.server.ts'

// Whoever holds a mailed link needs no session.

/** POST /api/account/undo `{token}`: undoes a change of address, and puts the account in dispute. */
export const undoChange = endpoint({ 200: undoneAnswer, 303: null }, (context) =>
  takeLink(context, 'undo', { undone: true } as const),
)

/** POST /api/account/disown `{token}`: puts the account in dispute. */
export const disownMailed = endpoint({ 200: disownedAnswer, 303: null }, (context) =>
  takeLink(context, 'disown', { ended: true } as const),
)

async function takeLink<A>(context: APIContext, kind: LinkKind, answer: A): Promise<A | Response> {
  const { db } = context.locals
  if (!isForm(context)) {
    await disputeByLink(db, kind, (await readJson(context, linkInput(kind))).token)
    return answer
  }
  const { token } = validate(linkInput(kind), Object.fromEntries(await readForm(context)))
  try {
    await disputeByLink(db, kind, token)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The page says why.
    return redirect(DISPUTE_LINKS[kind].page(token))
  }
  return redirect(kind === 'undo' ? authPaths.undone : authPaths.disowned)
}

/** What the page of a link shows. */
export async function loadDisputeLink({ locals, url, response }: AstroGlobal, kind: LinkKind): Promise<DisputeLink> {
  const isDone = url.searchParams.get('hecho') === 'si'
  const link = isDone
    ? { state: 'done' as const }
    : await inspectDisputeLink(locals.db, url.searchParams.get('token') ?? '')
  // What is done already is no fault of who opens it again.
  const status = link.state === 'open' ? 200 : DISPUTE_LINKS[kind][link.state][0]
  response.status = status === 409 ? 200 : status
  return link
}

/** POST /api/account/sessions/{id}/disown: the same from the member's list of sessions. */
export const disownListed = endpoint({ 200: disownedAnswer, 303: null }, async (context) => {
  const { db, user } = context.locals
  const isFormRequest = isForm(context)
  if (isFormRequest && !user) return redirect(paths.login)
  const member = requireAuthenticatedMember(context)
  const id = pathId(context)
  try {
    await disownSession(db, member, id)
    clearSession(context)
  } catch (error) {
    if (!isFormRequest || !isRecentSignInError(error)) throw error
    return redirect(paths.accountConfirm('pide'))
  }
  return isFormRequest ? redirect(authPaths.disowned) : ({ ended: true } as const)
})
