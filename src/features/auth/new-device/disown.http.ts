import { authPaths } from '#features/auth/auth-paths.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { clearSession } from '#features/auth/sessions/session.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, readForm, readJson, requireAuthenticatedMember, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { disownedAnswer } from '../answers.ts'
import { disownInput } from './disown-input.ts'
import { disownByLink, disownSession } from './disown.server.ts'

/** POST /api/account/disown `{token}`: anyone with the mailed link ends the sessions that it names, without a session. */
export const disownMailed = endpoint({ 200: disownedAnswer, 303: null }, async (context) => {
  const { db } = context.locals
  if (!isForm(context)) {
    await disownByLink(db, (await readJson(context, disownInput)).token)
    return { ended: true } as const
  }
  const { token } = validate(disownInput, Object.fromEntries(await readForm(context)))
  try {
    await disownByLink(db, token)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The page says why.
    return redirect(authPaths.disown(token))
  }
  return redirect(authPaths.disowned)
})

/** POST /api/account/sessions/{id}/disown: the same from the member's list of sessions. */
export const disownListed = endpoint({ 200: disownedAnswer, 303: null }, async (context) => {
  const { db, user, sessionId } = context.locals
  const isFormRequest = isForm(context)
  if (isFormRequest && !user) return redirect(paths.login)
  const member = requireAuthenticatedMember(context)
  const id = pathId(context)
  try {
    if (await disownSession(db, member, id, sessionId)) clearSession(context)
  } catch (error) {
    if (!isFormRequest || !isRecentSignInError(error)) throw error
    return redirect(paths.accountConfirm('pide'))
  }
  return isFormRequest ? redirect(authPaths.disowned) : ({ ended: true } as const)
})
