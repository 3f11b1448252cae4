import { isForm, redirect } from '#features/auth/forms.http.ts'
import { unblock } from '#features/moderation/blocks.server.ts'
import { paths } from '#lib/paths.ts'
import type { APIContext } from 'astro'
import { AppError } from '#lib/errors.ts'
import { endpoint, pathId, readForm, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { part } from './blocks.server.ts'

/** Members one may block, or stop blocking, in ten minutes. */
const BLOCKS = 60
const TEN_MINUTES = 600
const FORM_LIMIT = 4 * 1024

async function member(context: APIContext) {
  const user = requireUser(context)
  await limit('block', user.id, BLOCKS, TEN_MINUTES)
  return user
}

/** `PUT /api/blocks/{id}`: the two members do not meet any more. */
export const add = endpoint(async (context) => {
  await part(context.locals.db, await member(context), pathId(context))
  return { blocked: true }
})

/** `DELETE /api/blocks/{id}` */
export const remove = endpoint(async (context) => {
  await unblock(context.locals.db, await member(context), pathId(context))
  return { blocked: false }
})

/** `POST /api/blocks/{id}` from a form: `que` is `bloquear` or `desbloquear`, `desde` is `cuenta` on the account's page. */
export const byForm = endpoint(async (context) => {
  if (!isForm(context)) throw new AppError(415, 'Se esperaba un formulario.')
  const id = pathId(context)
  if (!context.locals.user) return redirect(paths.login)
  const form = await readForm(context, FORM_LIMIT)
  const user = await member(context)
  if (form.get('que') === 'desbloquear') await unblock(context.locals.db, user, id)
  else await part(context.locals.db, user, id)
  return redirect(form.get('desde') === 'cuenta' ? `${paths.account}#bloqueados` : paths.member(id))
})
