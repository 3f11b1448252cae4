import { isForm, redirect } from '#server/forms.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { askForAdminProof } from '#features/auth/recent-auth/admin-proof.http.ts'
import type { AdminRequester } from '#lib/auth/current-user.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, pathId, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { submitAppeal } from './appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { appealInput, DECISION_TEXTS, decisionInput } from './decisions.ts'
import { appealedAnswer, decidedAnswer } from '../answers.ts'
import { HOUR_SECONDS } from '#lib/time.ts'

const FORM_MAX_BYTES = 64 * 1024

/** Appeals a member may send in an hour. Each decision takes one. */
const APPEALS_PER_HOUR = 20

/** Error codes in the address that a form redirects to; any other error is its HTTP status. */
const ERROR_CODES: Record<string, string> = {
  [DECISION_TEXTS.long]: 'largo',
  [DECISION_TEXTS.self]: 'propio',
  [DECISION_TEXTS.changed]: 'cambiado',
  [DECISION_TEXTS.member]: 'persona',
  [DECISION_TEXTS.otherMember]: 'otra-persona',
}
const toErrorCode = ({ status, message }: AppError): string => ERROR_CODES[message] ?? String(status)

const formText = (form: FormData, name: string) => String(form.get(name) ?? '')

/** `POST /api/admin/cases/{id}` `{deed, reason?, days?, version?, member?}`, JSON or form. */
export const decideCase = endpoint({ 200: decidedAnswer, 303: null }, async (context) => {
  const requester: AdminRequester = { user: context.locals.user, adminEmail: getEnv().adminEmail }
  const unproved = await askForAdminProof(context)
  if (unproved) return unproved
  const id = pathId(context)
  const { dataDir } = getEnv()
  if (!isForm(context)) {
    const input = await readJson(context, decisionInput)
    await applyCaseAction(context.locals.db, dataDir, requester, id, input)
    return { done: input.deed }
  }
  const form = await readForm(context, FORM_MAX_BYTES)
  const action = formText(form, 'deed')
  const list = { orden: formText(form, 'orden'), clase: formText(form, 'clase'), a: id }
  const redirectToQueue = (outcome: Record<string, string>) =>
    redirect(`${paths.adminQueue}&${new URLSearchParams({ ...list, ...outcome })}#c-${id}`)
  const days = formText(form, 'days')
  const version = formText(form, 'version')
  const member = formText(form, 'member')
  try {
    const typed = {
      deed: action,
      reason: formText(form, 'reason'),
      days: days === '' ? null : Number(days),
      version: version === '' ? undefined : Number(version),
      member: member === '' ? undefined : member,
    }
    await applyCaseAction(context.locals.db, dataDir, requester, id, validate(decisionInput, typed))
    return redirectToQueue({ hecho: action })
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 404) throw error
    return redirectToQueue({ error: toErrorCode(error), que: action })
  }
})

/** `POST /api/decisions/{id}/appeal` `{text}`, JSON or form. */
export const appealDecision = endpoint({ 200: appealedAnswer, 303: null }, async (context) => {
  const id = pathId(context)
  const { adminEmail } = getEnv()
  if (!isForm(context)) {
    const user = requireUser(context)
    await limit('appeal', user.id, APPEALS_PER_HOUR, HOUR_SECONDS)
    const { text } = await readJson(context, appealInput)
    await submitAppeal(context.locals.db, user, id, text, adminEmail)
    return { sent: true } as const
  }
  const form = await readForm(context, FORM_MAX_BYTES)
  const { user } = context.locals
  if (!user) return redirect(paths.login)
  try {
    await limit('appeal', user.id, APPEALS_PER_HOUR, HOUR_SECONDS)
    await submitAppeal(
      context.locals.db,
      user,
      id,
      validate(appealInput, { text: formText(form, 'text') }).text,
      adminEmail,
    )
  } catch (error) {
    if (!(error instanceof AppError) || [403, 404].includes(error.status)) throw error
    return redirect(`${authPaths.securityLog()}?error=${toErrorCode(error)}&a=${id}#d-${id}`)
  }
  return redirect(`${authPaths.securityLog()}?hecho=si#d-${id}`)
})
