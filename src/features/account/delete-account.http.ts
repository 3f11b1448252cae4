import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { formEndpoint } from '#server/form-endpoint.ts'
import { askForProof } from '#features/auth/recent-auth/recent-auth.http.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, readJson, requireAuthenticatedMember } from '#server/endpoint.ts'
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
export const deleteOwnAccountByForm = formEndpoint({
  who: requireAuthenticatedMember,
  input: deleteAccountInput,
  fields: (form) => ({ dogs: form.get('dogs'), alias: String(form.get('alias') ?? ''), now: isNow(form) }),
  save: (context, _, input) => remove(context, input),
  done: (_, __, form) => (isNow(form) ? paths.home : deletionPaths.requested),
  refused(context, error) {
    // The page says why it is not deleted now.
    if (error.status === 409) return `${paths.account}#eliminar`
    if (error.status !== 422) return askForProof(context, error)
    return `${paths.account}?error=${error.errors?.alias ? 'alias' : 'perros'}#eliminar`
  },
})

const isNow = (form: FormData): boolean => form.get('now') === 'si'
