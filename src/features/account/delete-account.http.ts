import { redirect } from '#server/forms.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, readForm, readJson, requireAuthenticatedMember } from '#server/endpoint.ts'
import { clearSession } from '#features/auth/sessions/session.http.ts'
import { deleteAccountInput } from './account.ts'
import { deleteAccount } from './erase.server.ts'

/** DELETE /api/account `{dogs: 'delete' | 'keep', alias}`: deletes the account and all its data. */
export const deleteOwnAccount = endpoint({ 204: null }, async (context) => {
  const user = requireAuthenticatedMember(context)
  await deleteAccount(context.locals.db, getEnv().dataDir, user, await readJson(context, deleteAccountInput))
  clearSession(context)
  return new Response(null, { status: 204 })
})

/** POST /api/account: the same from a plain form, redirected to the confirmation without recent authentication. */
export const deleteOwnAccountByForm = endpoint({ 303: null }, async (context) => {
  const form = await readForm(context)
  if (!context.locals.user) return redirect(paths.login)
  const alias = String(form.get('alias') ?? '')
  try {
    const input = validate(deleteAccountInput, { dogs: form.get('dogs'), alias })
    await deleteAccount(context.locals.db, getEnv().dataDir, requireAuthenticatedMember(context), input)
  } catch (error) {
    if (isRecentSignInError(error)) return redirect(paths.accountConfirm('pide'))
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirect(`${paths.account}?error=${error.errors?.alias ? 'alias' : 'perros'}#eliminar`)
  }
  clearSession(context)
  return redirect(paths.home)
})
