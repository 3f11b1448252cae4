import { isForm, redirect } from '#features/auth/forms.http.ts'
import { type AdminAsker, mustAdmin } from '#lib/admin.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint, pathId, readForm, readJson, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { appeal } from './appeals.server.ts'
import { decide } from './deeds.server.ts'
import { appealInput, DECISION_TEXTS, decisionInput } from './decisions.ts'

const FORM_LIMIT = 64 * 1024
/** Answers a member may send in an hour; each decision takes one. */
const APPEALS = 20
const HOUR = 3600

/** What the page that a form comes back to tells apart. */
const CODES: Record<string, string> = { [DECISION_TEXTS.long]: 'largo', [DECISION_TEXTS.self]: 'propio' }
const codeOf = ({ status, message }: AppError): string => CODES[message] ?? String(status)

const said = (form: FormData, name: string) => String(form.get(name) ?? '')

/** `POST /api/admin/cases/{id}` `{deed, reason?, days?}`, JSON or form. */
export const decideCase = endpoint(async (context) => {
  const asker: AdminAsker = { user: context.locals.user, adminEmail: getEnv().adminEmail }
  mustAdmin(asker)
  const id = pathId(context)
  const { dataDir } = getEnv()
  if (!isForm(context)) {
    const input = await readJson(context, decisionInput)
    await decide(context.locals.db, dataDir, asker, id, input)
    return { done: input.deed }
  }
  const form = await readForm(context, FORM_LIMIT)
  const deed = said(form, 'deed')
  const list = { orden: said(form, 'orden'), a: id }
  const back = (what: Record<string, string>) =>
    redirect(`${paths.adminQueue}&${new URLSearchParams({ ...list, ...what })}#c-${id}`)
  const days = said(form, 'days')
  try {
    const given = { deed, reason: said(form, 'reason'), days: days === '' ? null : Number(days) }
    await decide(context.locals.db, dataDir, asker, id, check(decisionInput, given))
    return back({ hecho: deed })
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 404) throw error
    return back({ error: codeOf(error), que: deed })
  }
})

/** `POST /api/decisions/{id}/appeal` `{text}`, JSON or form. */
export const answer = endpoint(async (context) => {
  const id = pathId(context)
  const { adminEmail } = getEnv()
  if (!isForm(context)) {
    const user = requireUser(context)
    await limit('appeal', user.id, APPEALS, HOUR)
    const { text } = await readJson(context, appealInput)
    await appeal(context.locals.db, user, id, text, adminEmail)
    return { sent: true }
  }
  const form = await readForm(context, FORM_LIMIT)
  const { user } = context.locals
  if (!user) return redirect(paths.login)
  try {
    await limit('appeal', user.id, APPEALS, HOUR)
    await appeal(context.locals.db, user, id, check(appealInput, { text: said(form, 'text') }).text, adminEmail)
  } catch (error) {
    if (!(error instanceof AppError) || [403, 404].includes(error.status)) throw error
    return redirect(`${paths.decisions}?error=${codeOf(error)}&a=${id}#d-${id}`)
  }
  return redirect(`${paths.decisions}?hecho=si#d-${id}`)
})
