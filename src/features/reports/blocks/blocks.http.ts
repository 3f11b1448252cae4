import { isForm, redirect } from '#server/forms.ts'
import { removeBlock } from '#features/moderation/blocks.server.ts'
import { paths } from '#lib/paths.ts'
import type { APIContext } from 'astro'
import { AppError } from '#lib/errors.ts'
import { endpoint, pathId, readForm, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { blockMember } from './block-member.server.ts'
import { blockedAnswer } from '../answers.ts'

/** Blocks and unblocks a member may make per window. */
const BLOCK_CHANGES_PER_WINDOW = 60
const WINDOW_SECONDS = 600
const FORM_MAX_BYTES = 4 * 1024

async function requireUserWithinLimit(context: APIContext) {
  const user = requireUser(context)
  await limit('block', user.id, BLOCK_CHANGES_PER_WINDOW, WINDOW_SECONDS)
  return user
}

/** `PUT /api/blocks/{id}`: blocks the member. */
export const createBlock = endpoint({ 200: blockedAnswer }, async (context) => {
  await blockMember(context.locals.db, await requireUserWithinLimit(context), pathId(context))
  return { blocked: true }
})

/** `DELETE /api/blocks/{id}`: unblocks the member. */
export const deleteBlock = endpoint({ 200: blockedAnswer }, async (context) => {
  await removeBlock(context.locals.db, await requireUserWithinLimit(context), pathId(context))
  return { blocked: false }
})

/** `POST /api/blocks/{id}` from a form: `que` is `bloquear` or `desbloquear`; `desde` is `cuenta` on the account's page. */
export const changeBlockByForm = endpoint({ 303: null }, async (context) => {
  if (!isForm(context)) throw new AppError(415, 'Se esperaba un formulario.')
  const id = pathId(context)
  if (!context.locals.user) return redirect(paths.login)
  const form = await readForm(context, FORM_MAX_BYTES)
  const user = await requireUserWithinLimit(context)
  if (form.get('que') === 'desbloquear') await removeBlock(context.locals.db, user, id)
  else await blockMember(context.locals.db, user, id)
  return redirect(form.get('desde') === 'cuenta' ? `${paths.account}#bloqueados` : paths.member(id))
})
