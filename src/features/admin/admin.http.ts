import type { APIContext } from 'astro'
import { isForm, redirect } from '#server/forms.ts'
import { askForAdminProof } from '#features/auth/recent-auth/admin-proof.http.ts'
import type { AdminRequester } from '#lib/auth/current-user.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, pathId, readForm, readJson } from '#server/endpoint.ts'
import { ADMIN_TEXTS, verifiedInput, memberMessageInput } from './admin.ts'
import { sendMemberMessage, verifyMember } from './members.server.ts'
import { messageSentAnswer, verifiedAnswer } from './answers.ts'

const FORM_MAX_BYTES = 64 * 1024

/** The request's user and the configured admin address. */
export const toAdminRequester = ({ locals }: Pick<APIContext, 'locals'>): AdminRequester => ({
  user: locals.user,
  adminEmail: getEnv().adminEmail,
})

/** Redirects to the list the form was sent from, at the member it is about; `outcome` becomes query parameters. */
function redirectToList(form: FormData, id: string, outcome: Record<string, string>): Response {
  const position = ['q', 'cursor']
    .map((name) => [name, String(form.get(name) ?? '')])
    .filter(([, value]) => value !== '')
  return redirect(`${paths.admin}?${new URLSearchParams([...position, ...Object.entries(outcome)])}#m-${id}`)
}

/** PUT /api/admin/members/{id}/verified `{verified, alias?}`, or POST from a form. */
export const setMemberVerified = endpoint({ 200: verifiedAnswer, 303: null }, async (context) => {
  const requester = toAdminRequester(context)
  const unproved = await askForAdminProof(context)
  if (unproved) return unproved
  const id = pathId(context)
  if (!isForm(context)) {
    const input = await readJson(context, verifiedInput)
    await verifyMember(context.locals.db, requester, id, input)
    return { verified: input.verified }
  }
  const form = await readForm(context, FORM_MAX_BYTES)
  const isVerified = { 1: true, 0: false }[String(form.get('verified'))]
  const input = validate(verifiedInput, { verified: isVerified, alias: form.get('alias') ?? undefined })
  try {
    await verifyMember(context.locals.db, requester, id, input)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error
    return redirectToList(form, id, { error: 'otro-nombre' })
  }
  return redirectToList(form, id, { hecho: isVerified ? 'verificado' : 'sin-verificar' })
})

/** POST /api/admin/members/{id}/word `{content}`, JSON or form. */
export const messageMember = endpoint({ 200: messageSentAnswer, 303: null }, async (context) => {
  const requester = toAdminRequester(context)
  const unproved = await askForAdminProof(context)
  if (unproved) return unproved
  const id = pathId(context)
  if (!isForm(context)) {
    await sendMemberMessage(context.locals.db, requester, id, (await readJson(context, memberMessageInput)).content)
    return { sent: true } as const
  }
  const form = await readForm(context, FORM_MAX_BYTES)
  try {
    await sendMemberMessage(
      context.locals.db,
      requester,
      id,
      validate(memberMessageInput, { content: form.get('content') }).content,
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return redirectToList(form, id, { error: error.message === ADMIN_TEXTS.long ? 'largo' : 'vacio', a: id })
  }
  return redirectToList(form, id, { hecho: 'enviado' })
})
