import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { redirect } from '#server/forms.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, readForm, readJson, requireAuthenticatedMember } from '#server/endpoint.ts'
import { clearSession } from '#features/auth/sessions/session.http.ts'
import { deleteAccountInput } from './account.ts'
import { deletionPaths } from './deletion/deletion-paths.ts'
import { requestDeletion } from './deletion/request-deletion.server.ts'
import { mailRequestedDeletion, prepareErasureMail } from './deletion/mail-deletion.http.ts'
import { deleteAccount } from './erase.server.ts'

/** Deletes the account in some days, or now. */
async function remove(context: APIContext, { now, ...input }: z.output<typeof deleteAccountInput>): Promise<void> {
  const member = requireAuthenticatedMember(context)
  const { db } = context.locals
  const { dataDir } = getEnv()
  const mailErasure = await prepareErasureMail(db, member.id)
  if (now) await deleteAccount(db, dataDir, member, input).then(mailErasure)
  else await requestDeletion(db, member, input, mailRequestedDeletion)
  clearSession(context)
}

/**
 * DELETE /api/account `{dogs: 'delete' | 'keep', alias, now?}`: takes the account with all of its data out of sight, and deletes it in seven
 * days; with `now` at once.
 */
export const deleteOwnAccount = endpoint({ 204: null }, async (context) => {
  requireAuthenticatedMember(context)
  await remove(context, await readJson(context, deleteAccountInput))
  return new Response(null, { status: 204 })
})

/** POST /api/account: the same from a plain form, redirected to the confirmation without recent authentication. */
export const deleteOwnAccountByForm = endpoint({ 303: null }, async (context) => {
  const form = await readForm(context)
  if (!context.locals.user) return redirect(paths.login)
  const alias = String(form.get('alias') ?? '')
  const now = form.get('now') === 'si'
  try {
    await remove(context, validate(deleteAccountInput, { dogs: form.get('dogs'), alias, now }))
  } catch (error) {
    if (isRecentSignInError(error)) return redirect(paths.accountConfirm('pide'))
    // The page says why it is not deleted now.
    if (error instanceof AppError && error.status === 409) return redirect(`${paths.account}#eliminar`)
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirect(`${paths.account}?error=${error.errors?.alias ? 'alias' : 'perros'}#eliminar`)
  }
  return redirect(now ? paths.home : deletionPaths.requested)
})
