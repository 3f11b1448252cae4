import type { APIContext } from 'astro'
import { isForm, redirect } from '#features/auth/forms.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint, pathId, readForm, readJson } from '#server/http.ts'
import { ADMIN_TEXTS, verifiedInput, wordInput } from './admin.ts'
import { sendWord, verifyMember } from './members.server.ts'
import { type AdminAsker, mustAdmin } from './rights.server.ts'

const FORM_LIMIT = 64 * 1024

export const adminAsker = ({ locals }: Pick<APIContext, 'locals'>): AdminAsker => ({
  user: locals.user,
  adminEmail: getEnv().adminEmail,
})

/** Back to the list a form was sent from, at the member it was about. */
function backTo(form: FormData, id: string, said: Record<string, string>): Response {
  const kept = ['q', 'cursor'].map((name) => [name, String(form.get(name) ?? '')]).filter(([, value]) => value !== '')
  return redirect(`${paths.admin}?${new URLSearchParams([...kept, ...Object.entries(said)])}#m-${id}`)
}

/** PUT /api/admin/members/{id}/verified `{verified}`, or POST from a form. */
export const verified = endpoint(async (context) => {
  const asker = adminAsker(context)
  mustAdmin(asker)
  const id = pathId(context)
  if (!isForm(context)) {
    const input = await readJson(context, verifiedInput)
    await verifyMember(context.locals.db, asker, id, input.verified)
    return input
  }
  const form = await readForm(context, FORM_LIMIT)
  const value = { 1: true, 0: false }[String(form.get('verified'))]
  await verifyMember(context.locals.db, asker, id, check(verifiedInput, { verified: value }).verified)
  return backTo(form, id, { hecho: value ? 'verificado' : 'sin-verificar' })
})

/** POST /api/admin/members/{id}/word `{content}`, JSON or form. */
export const word = endpoint(async (context) => {
  const asker = adminAsker(context)
  mustAdmin(asker)
  const id = pathId(context)
  if (!isForm(context)) {
    await sendWord(context.locals.db, asker, id, (await readJson(context, wordInput)).content)
    return { sent: true }
  }
  const form = await readForm(context, FORM_LIMIT)
  try {
    await sendWord(context.locals.db, asker, id, check(wordInput, { content: form.get('content') }).content)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    return backTo(form, id, { error: error.message === ADMIN_TEXTS.long ? 'largo' : 'vacio', a: id })
  }
  return backTo(form, id, { hecho: 'enviado' })
})
