import type { APIContext } from 'astro'
import { ADMIN_FORM, adminProofStep } from '#features/auth/recent-auth/admin-proof.http.ts'
import type { AdminRequester } from '#lib/auth/current-user.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { pathId } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { ADMIN_TEXTS, verifiedInput, memberMessageInput } from './admin.ts'
import { sendMemberMessage, verifyMember } from './members.server.ts'
import { messageSentAnswer, verifiedAnswer } from './answers.ts'

const FORM_MAX_BYTES = 64 * 1024

/** The request's user and the configured admin address. */
export const toAdminRequester = ({ locals }: Pick<APIContext, 'locals'>): AdminRequester => ({
  user: locals.user,
  adminEmail: getEnv().adminEmail,
})

/** The list that the form was sent from, at the member it is about; `outcome` becomes query parameters. */
function listPath({ params: { id } }: APIContext, form: FormData, outcome: Record<string, string>): string {
  const position = ['q', 'cursor']
    .map((name) => [name, String(form.get(name) ?? '')])
    .filter(([, value]) => value !== '')
  return `${paths.admin}?${new URLSearchParams([...position, ...Object.entries(outcome)])}#m-${id}`
}

/** PUT /api/admin/members/{id}/verified `{verified, alias?}`, or POST from a form. */
export const setMemberVerified = formEndpoint({
  answers: { 200: verifiedAnswer },
  ...ADMIN_FORM,
  limit: FORM_MAX_BYTES,
  input: verifiedInput,
  fields: (form) => ({
    verified: { 1: true, 0: false }[String(form.get('verified'))],
    alias: form.get('alias') ?? undefined,
  }),
  async save(context, requester, input) {
    await verifyMember(context.locals.db, requester, pathId(context), input)
    return { verified: input.verified }
  },
  done: (context, { verified }, form) => listPath(context, form, { hecho: verified ? 'verificado' : 'sin-verificar' }),
  refused: (context, error, form) =>
    error.status === 409 ? listPath(context, form, { error: 'otro-nombre' }) : adminProofStep(error),
})

/** POST /api/admin/members/{id}/word `{content}`, JSON or form. */
export const messageMember = formEndpoint({
  answers: { 200: messageSentAnswer },
  ...ADMIN_FORM,
  limit: FORM_MAX_BYTES,
  input: memberMessageInput,
  async save(context, requester, { content }) {
    await sendMemberMessage(context.locals.db, requester, pathId(context), content)
    return { sent: true } as const
  },
  done: (context, _, form) => listPath(context, form, { hecho: 'enviado' }),
  refused: (context, error, form) =>
    error.status === 422
      ? listPath(context, form, { error: error.message === ADMIN_TEXTS.long ? 'largo' : 'vacio', a: pathId(context) })
      : adminProofStep(error),
})
