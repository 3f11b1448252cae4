import type { APIContext } from 'astro'
import { AppError, invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { identifyDevice } from '#features/auth/sessions/known-device.http.ts'
import { validate, endpoint, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { log } from '#server/log/log.ts'
import { describeMailError, isMailWrittenToOutbox, sendMail } from '#server/mail.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { sessionToken } from '#features/auth/sessions/session.http.ts'
import { incrementCounter } from '#server/counters.ts'
import { SIGN_IN_RATE_LIMITS, RECENT_AUTH_MINUTES } from '#features/auth/auth.ts'
import { verifyConfirmationCode } from '#features/auth/sign-in/sign-in-codes.server.ts'
import { buildConfirmationMail } from './confirmation-mail.ts'
import { isForm, redirect } from '#server/forms.ts'
import { markRecentlyAuthenticated } from '#features/auth/sessions/sessions.server.ts'
import { RECENT_AUTH_TEXTS } from './recent-auth.ts'
import { SIGN_IN_TEXTS } from '#features/auth/sign-in/sign-in.ts'
import { confirmInput } from '#features/auth/sign-in/sign-in-input.ts'
import { issueTokenWithinLimits } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { confirmedAnswer, mailSentAnswer } from '../answers.ts'
import { MINUTE_MS } from '#lib/time.ts'

// Confirms the member's identity before the account is deleted or its data exported. Clients send JSON; plain forms are
// redirected to the account's page.

/** POST /api/auth/confirm: mails the member a code. */
export const sendConfirmationCode = endpoint({ 202: mailSentAnswer, 303: null }, async (context) => {
  if (!isForm(context)) {
    await sendConfirmationMail(context)
    return { sent: true } as const
  }
  await readForm(context)
  if (!context.locals.user) return redirect(paths.login)
  try {
    await sendConfirmationMail(context)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirect(paths.accountConfirm('fallo'))
  }
  return redirect(paths.accountConfirm('enviado'))
})

async function sendConfirmationMail(context: APIContext): Promise<void> {
  const { email } = requireUser(context)
  if (email === null) throw new AppError(409, RECENT_AUTH_TEXTS.noEmail)
  await limit('sign-in-mail-known-device', email, ...SIGN_IN_RATE_LIMITS.mailsOfDevices)
  const token = await issueTokenWithinLimits(context.locals.db, email, {
    purpose: 'confirm',
    device: await identifyDevice(context, email),
  })
  if (!token) return incrementCounter('refused', 'mails to a mailbox')
  try {
    await sendMail({ to: email, ...buildConfirmationMail(token.code) })
  } catch (error) {
    // A failing disk under the outbox has its own error texts.
    if (findStorageFailure(error)) throw error
    log().write('error', `el mensaje de confirmación no se pudo enviar: ${describeMailError(error)}`)
    throw new AppError(502, SIGN_IN_TEXTS.failed)
  }
  if (isMailWrittenToOutbox() && log().isTerminal)
    process.stdout.write(`perrario · para confirmar como ${email}: código ${token.code}\n`)
}

/** POST /api/auth/confirm/code `{code}`: the session counts as recently authenticated from now on. */
export const confirmWithCode = endpoint({ 200: confirmedAnswer, 303: null }, async (context) => {
  if (!isForm(context)) {
    const user = requireUser(context)
    const { code } = await readJson(context, confirmInput)
    return { provedUntil: (await confirmSession(context, user.email, code)) + RECENT_AUTH_MINUTES * MINUTE_MS }
  }
  const form = Object.fromEntries(await readForm(context))
  const { user } = context.locals
  if (!user) return redirect(paths.login)
  try {
    await confirmSession(context, user.email, validate(confirmInput, form).code)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirect(paths.accountConfirm(error.status === 429 ? 'muchos' : 'codigo'))
  }
  return redirect(paths.accountConfirmed)
})

/** Verifies the code and marks the session. @returns the time of it, ms. @throws AppError 409, 422, 429 */
async function confirmSession(context: APIContext, email: string | null, code: string): Promise<number> {
  if (email === null) throw new AppError(409, RECENT_AUTH_TEXTS.noEmail)
  await limit('sign-in-code-known-device', email, ...SIGN_IN_RATE_LIMITS.codesOfDevices)
  const device = (await identifyDevice(context, email))!
  const now = Date.now()
  if (!(await verifyConfirmationCode(context.locals.db, { email, code, device }, now)))
    throw invalid(SIGN_IN_TEXTS.wrongCode, { code: SIGN_IN_TEXTS.wrongCode })
  await markRecentlyAuthenticated(context.locals.db, sessionToken(context.cookies)!, now)
  return now
}
