import type { APIContext } from 'astro'
import { authPaths } from '#features/auth/auth-paths.ts'
import { ADMIN_FORM, adminProofStep } from '#features/auth/recent-auth/admin-proof.http.ts'
import type { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { pathId, requireUser } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
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
export const decideCase = formEndpoint({
  answers: { 200: decidedAnswer },
  ...ADMIN_FORM,
  limit: FORM_MAX_BYTES,
  input: decisionInput,
  fields(form) {
    const [days, version, member] = ['days', 'version', 'member'].map((name) => formText(form, name) || undefined)
    return {
      deed: formText(form, 'deed'),
      reason: formText(form, 'reason'),
      days: days === undefined ? null : Number(days),
      version: version === undefined ? undefined : Number(version),
      member,
    }
  },
  async save(context, requester, input) {
    await applyCaseAction(context.locals.db, getEnv().dataDir, requester, pathId(context), input)
    return { done: input.deed }
  },
  done: (context, _, form) => queuePath(context, form, { hecho: formText(form, 'deed') }),
  refused: (context, error, form) =>
    adminProofStep(error) ??
    (error.status === 404
      ? undefined
      : queuePath(context, form, { error: toErrorCode(error), que: formText(form, 'deed') })),
})

function queuePath({ params }: APIContext, form: FormData, outcome: Record<string, string>): string {
  const list = { orden: formText(form, 'orden'), clase: formText(form, 'clase'), a: params.id! }
  return `${paths.adminQueue}&${new URLSearchParams({ ...list, ...outcome })}#c-${params.id}`
}

/** `POST /api/decisions/{id}/appeal` `{text}`, JSON or form. */
export const appealDecision = formEndpoint({
  answers: { 200: appealedAnswer },
  limit: FORM_MAX_BYTES,
  async who(context) {
    const user = requireUser(context)
    await limit('appeal', user.id, APPEALS_PER_HOUR, HOUR_SECONDS)
    return user
  },
  input: appealInput,
  fields: (form) => ({ text: formText(form, 'text') }),
  async save(context, user, { text }) {
    await submitAppeal(context.locals.db, user, pathId(context), text, getEnv().adminEmail)
    return { sent: true } as const
  },
  done: ({ params }) => `${authPaths.securityLog()}?hecho=si#d-${params.id}`,
  refused: ({ params: { id } }, error) =>
    [403, 404].includes(error.status)
      ? undefined
      : `${authPaths.securityLog()}?error=${toErrorCode(error)}&a=${id}#d-${id}`,
})
