import type { APIContext } from 'astro'
import { restoredAnswer } from '#features/auth/answers.ts'
import { redirectWithFlash } from '#features/auth/flash.http.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { clearSession, closeSession } from '#features/auth/sessions/session.http.ts'
import type { LeavingAccount } from '#features/auth/sessions/sessions.server.ts'
import { AppError, notFound, unauthenticated } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readForm, readJson, validate } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { isForm, redirect } from '#server/forms.ts'
import { eraseLeavingAccount } from '../erase.server.ts'
import { DELETION_TEXTS } from './deletion.ts'
import { restoreInput } from './deletion-input.ts'
import { deletionPaths } from './deletion-paths.ts'
import { prepareErasureMail } from './mail-deletion.http.ts'
import { restoreByLink, restoreBySession } from './restore-account.server.ts'

// Clients send JSON; plain forms are redirected to the page, which says what happened.

/**
 * POST /api/account/restore `{token?}`: undoes the deletion. Whoever holds the mailed link needs no session; who signed in to the account
 * needs no link. Nobody is signed in afterwards.
 */
export const restoreOwnAccount = endpoint({ 200: restoredAnswer, 303: null }, async (context) => {
  if (!isForm(context)) {
    await restore(context, (await readJson(context, restoreInput)).token)
    return { restored: true } as const
  }
  const { token } = validate(restoreInput, Object.fromEntries(await readForm(context)))
  try {
    await restore(context, token)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The page says why.
    if (token !== undefined) return redirect(deletionPaths.link(token))
    return redirectWithFlash(context, paths.login, { email: '', error: error.message })
  }
  return redirect(deletionPaths.restored)
})

/** @throws AppError 401; 404 for who is signed in as usual: another tab has brought the account back */
function requireLeaving({ locals: { leaving, user } }: APIContext): LeavingAccount {
  if (leaving) return leaving
  throw user ? notFound(DELETION_TEXTS.nothing) : unauthenticated()
}

async function restore(context: APIContext, token: string | undefined): Promise<void> {
  const { db } = context.locals
  if (token !== undefined) return restoreByLink(db, token)
  await restoreBySession(db, requireLeaving(context))
  clearSession(context)
}

/** POST /api/account/erase: who signed in to an account that waits for its deletion deletes it now. */
export const eraseOwnAccount = endpoint({ 204: null, 303: null }, async (context) => {
  const isFormRequest = isForm(context)
  if (isFormRequest) await readForm(context)
  const { db, leaving } = context.locals
  try {
    const account = requireLeaving(context)
    const mailErasure = await prepareErasureMail(db, account.id)
    await eraseLeavingAccount(db, getEnv().dataDir, account).then(mailErasure)
  } catch (error) {
    if (!isFormRequest || !(error instanceof AppError)) throw error
    // The page says why.
    if (error.status === 409) return redirect(paths.recoverAccount)
    if (!isRecentSignInError(error)) return redirectWithFlash(context, paths.login, { email: '', error: error.message })
    // Signing in again is the proof.
    await closeSession(context)
    const sentence = leaving?.email === null ? DELETION_TEXTS.proofByProvider : DELETION_TEXTS.proof
    return redirectWithFlash(context, paths.login, { email: leaving?.email ?? '', error: sentence })
  }
  clearSession(context)
  return isFormRequest ? redirect(deletionPaths.erased) : new Response(null, { status: 204 })
})
