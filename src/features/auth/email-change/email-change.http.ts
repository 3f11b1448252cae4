import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { minutesUntil } from '#features/auth/auth.ts'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { sendAwaitedMail } from '#features/auth/sign-in/awaited-mail.http.ts'
import { toSendingError } from '#features/auth/sign-in/sign-in.ts'
import { confirmInput, emailSchema } from '#features/auth/sign-in/sign-in-input.ts'
import { redirectWithFlash } from '#features/auth/flash.http.ts'
import { AppError } from '#lib/errors.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { requireAuthenticatedMember } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { confirmedEmailAnswer, mailSentAnswer } from '#features/auth/answers.ts'
import { buildAddressCodeMail, buildNotAddedMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { confirmEmailChange, requestEmailChange } from './email-change.server.ts'

// Clients send JSON; plain forms are redirected to the account's page.

/** Mails to new addresses that a member may ask for in an hour, and codes that they may try. */
const REQUESTS_PER_HOUR = 10
const CODES_PER_HOUR = 30

/** POST /api/account/email `{email}`: mails a code to the new address. The answer is the same for one that has an account. */
export const changeEmail = formEndpoint({
  answers: { 202: mailSentAnswer },
  who: () => null,
  input: z.object({ email: emailSchema }),
  async save(context, _, { email }) {
    await sendAddressCode(context, email)
    return { sent: true } as const
  },
  done: () => authPaths.accountEmail({ hecho: 'email-enviado' }),
  refused: (context, error, form) => redirectToEmail(context, error, String(form.get('email') ?? '')),
})

async function sendAddressCode(context: APIContext, email: string): Promise<void> {
  const member = requireAuthenticatedMember(context)
  await limit('email-change', member.id, REQUESTS_PER_HOUR, HOUR_SECONDS)
  const mail = await requestEmailChange(context.locals.db, member, email)
  if (!mail) return
  const content =
    mail.kind === 'code'
      ? buildAddressCodeMail(mail.code, minutesUntil(mail.expiresAt), member.alias)
      : buildNotAddedMail(mail.kind)
  const secrets = mail.kind === 'code' ? `para confirmar la dirección ${email}: código ${mail.code}` : null
  await sendAwaitedMail({ to: email, ...content }, secrets)
}

/** POST /api/account/email/code `{code}`: the new address is the account's from now on. */
export const confirmEmail = formEndpoint({
  answers: { 200: confirmedEmailAnswer },
  who: () => null,
  input: confirmInput,
  save: async (context, _, { code }) => ({ email: await confirm(context, code) }),
  done: ({ locals }) =>
    authPaths.accountEmail({ hecho: locals.user?.email === null ? 'email-nuevo' : 'email-cambiado' }),
  refused: (context, error) => redirectToEmail(context, error, ''),
})

/** Confirms the address and notifies those of the account. @returns the new address */
async function confirm(context: APIContext, code: string): Promise<string> {
  const member = requireAuthenticatedMember(context)
  await limit('email-change-code', member.id, CODES_PER_HOUR, HOUR_SECONDS)
  const email = await confirmEmailChange(context.locals.db, member, code)
  await mailAlerts(context.locals.db, member.id)
  return email
}

/** Where a refused form leads: the error and the typed address are in a cookie, not in the address. */
function redirectToEmail(context: APIContext, error: AppError, email: string): Response {
  if (isRecentSignInError(error))
    return redirectWithFlash(context, paths.accountConfirm('pide'), { email: email.slice(0, 254), error: '' })
  const isSending = error.status === 502 || error.status === 429
  const message = isSending ? toSendingError(error.status, error.message) : error.message
  return redirectWithFlash(context, authPaths.accountEmail({ error: 'email' }), {
    email: email.slice(0, 254),
    error: message,
  })
}
