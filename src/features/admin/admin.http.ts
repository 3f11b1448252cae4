import type { APIContext } from 'astro'
import { isForm, redirect } from '#features/auth/forms.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, pathId, readForm, readJson } from '#server/endpoint.ts'
import { ADMIN_TEXTS, verifiedInput, memberMessageInput } from './admin.ts'
import { sendMemberMessage, verifyMember } from './members.server.ts'
import { type AdminAsker, mustAdmin } from './rights.server.ts'

const MAX_FORM_BYTES = 64 * 1024

export const toAdminRequester = ({ locals }: Pick<APIContext, 'locals'>): AdminAsker => ({
  user: locals.user,
  adminEmail: getEnv().adminEmail,
})

/** Back to the list a form was sent from, at the member it was about. */
function redirectToList(form: FormData, id: string, said: Record<string, string>): Response {
  const kept = ['q', 'cursor'].map((name) => [name, String(form.get(name) ?? '')]).filter(([, value]) => value !== '')
  return redirect(`${paths.admin}?${new URLSearchParams([...kept, ...Object.entries(said)])}#m-${id}`)
}

/** PUT /api/admin/members/{id}/verified `{verified}`, or POST from a form. */
export const setMemberVerified = endpoint(async (context) => {
  const asker = toAdminRequester(context)
  mustAdmin(asker)
  const id = pathId(context)
  if (!isForm(context)) {
    const input = await readJson(context, verifiedInput)
    await verifyMember(context.locals.db, asker, id, input.verified)
    return input
  }
  const form = await readForm(context, MAX_FORM_BYTES)
  const value = { 1: true, 0: false }[String(form.get('verified'))]
  await verifyMember(context.locals.db, asker, id, validate(verifiedInput, { verified: value }).verified)
  return redirectToList(form, id, { hecho: value ? 'verificado' : 'sin-verificar' })
})

/** POST /api/admin/members/{id}/word `{content}`, JSON or form. */
export const messageMember = endpoint(async (context) => {
  const asker = toAdminRequester(context)
  mustAdmin(asker)
  const id = pathId(context)
  if (!isForm(context)) {
    await sendMemberMessage(context.locals.db, asker, id, (await readJson(context, memberMessageInput)).content)
    return { sent: true }
  }
  const form = await readForm(context, MAX_FORM_BYTES)
  try {
    await sendMemberMessage(
      context.locals.db,
      asker,
      id,
      validate(memberMessageInput, { content: form.get('content') }).content,
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirectToList(form, id, { error: error.message === ADMIN_TEXTS.long ? 'largo' : 'vacio', a: id })
  }
  return redirectToList(form, id, { hecho: 'enviado' })
})
