import { redirect } from '#features/auth/forms.http.ts'
import { wantsProof } from '#features/auth/proof.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint, readForm, readJson, requireProver } from '#server/http.ts'
import { forgetSession } from '#features/auth/session.http.ts'
import { deleteInput } from './account-data.ts'
import { deleteAccount } from './erase.server.ts'

const FORM_LIMIT = 16 * 1024

/** DELETE /api/account `{dogs: 'delete' | 'keep', alias}`: the account and everything of it. */
export const remove = endpoint(async (context) => {
  const user = requireProver(context)
  await deleteAccount(context.locals.db, getEnv().dataDir, user, await readJson(context, deleteInput))
  forgetSession(context)
  return new Response(null, { status: 204 })
})

/** POST /api/account: the same from a plain form, which is led to the proof where one is asked for. */
export const removeByForm = endpoint(async (context) => {
  const form = await readForm(context, FORM_LIMIT)
  if (!context.locals.user) return redirect(paths.login)
  const alias = String(form.get('alias') ?? '')
  try {
    const input = check(deleteInput, { dogs: form.get('dogs'), alias })
    await deleteAccount(context.locals.db, getEnv().dataDir, requireProver(context), input)
  } catch (error) {
    if (wantsProof(error)) return redirect(paths.accountConfirm('pide'))
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirect(`${paths.account}?error=${error.errors?.alias ? 'alias' : 'perros'}#eliminar`)
  }
  forgetSession(context)
  return redirect(paths.home)
})
