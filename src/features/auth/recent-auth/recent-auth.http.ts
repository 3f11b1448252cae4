import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { AppError, invalid } from '#lib/errors.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { getOwn } from '#lib/identifiers.ts'
import { type ConfirmResult, paths } from '#lib/paths.ts'
import { identifyDevice, sessionToken } from '#features/auth/sessions/session.http.ts'
import { confirmByPasskey } from '#features/auth/passkeys/authentication.server.ts'
import { type AuthenticationResponse, authenticationSchema } from '#features/auth/passkeys/passkey-input.ts'
import { PASSKEY_RATE_LIMITS } from '#features/auth/passkeys/passkeys.ts'
import { requireRelyingParty } from '#features/auth/passkeys/relying-party.http.ts'
import { endpoint, json, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { incrementCounter } from '#server/counters.ts'
import { minutesUntil, RECENT_AUTH_MINUTES, SIGN_IN_RATE_LIMITS } from '#features/auth/auth.ts'
import { verifyCode } from '#features/auth/sign-in/sign-in-codes.server.ts'
import { buildConfirmationMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { isForm, redirect } from '#server/forms.ts'
import { markRecentlyAuthenticated } from '#features/auth/sessions/sessions.server.ts'
import { isRecentSignInError, RECENT_AUTH_TEXTS } from './recent-auth.ts'
import { sendAwaitedMail } from '#features/auth/sign-in/awaited-mail.http.ts'
import { SIGN_IN_TEXTS } from '#features/auth/sign-in/sign-in.ts'
import { confirmInput } from '#features/auth/sign-in/sign-in-input.ts'
import { issueTokenWithinLimits } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { confirmedAnswer, mailSentAnswer } from '#features/auth/answers.ts'
import { MINUTE_MS } from '#lib/time.ts'

// Confirms the member's identity before what a session alone may not do. Clients send JSON; plain forms are redirected to the page
// that asked.

const PAGES: Record<string, { step: (result: ConfirmResult) => string; done: string }> = {
  admin: { step: authPaths.adminConfirm, done: authPaths.confirmed.admin },
  seguridad: { step: authPaths.securityConfirm, done: authPaths.confirmed.seguridad },
}
const ACCOUNT = { step: paths.accountConfirm, done: paths.accountConfirmed }
/** The page that a form of this step belongs to, as its field `volver` says: the account's by default. */
const pageOf = (form: FormData) => getOwn(PAGES, String(form.get('volver'))) ?? ACCOUNT

/** Where a form without recent authentication leads (`refused` of a form endpoint). */
export const askForProof = (_: unknown, error: AppError): string | undefined =>
  isRecentSignInError(error) ? paths.accountConfirm('pide') : undefined

/**
 * POST /api/auth/confirm: with `{passkey}` or `{code}` the session counts as recently authenticated from now on; without either the
 * member is mailed a code.
 */
export const confirmIdentity = endpoint({ 200: confirmedAnswer, 202: mailSentAnswer, 303: null }, async (context) => {
  if (!isForm(context)) return confirmByJson(context)
  const page = pageOf(await readForm(context))
  if (!context.locals.user) return redirect(paths.login)
  try {
    await sendConfirmationMail(context)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirect(page.step('fallo'))
  }
  return redirect(page.step('enviado'))
})

async function confirmByJson(context: APIContext) {
  const user = requireUser(context)
  // A request for a mail needs no body.
  const hasBody = context.request.headers.has('content-type')
  const { passkey, code } = hasBody ? await readJson(context, confirmIdentityInput) : {}
  if (passkey) return toConfirmed(await confirmSessionByPasskey(context, passkey))
  if (code !== undefined) return toConfirmed(await confirmSession(context, user.email, code))
  await sendConfirmationMail(context)
  return json({ sent: true } as const, { status: 202 })
}

const toConfirmed = (provedAt: number) => ({ provedUntil: provedAt + RECENT_AUTH_MINUTES * MINUTE_MS })

/** Verifies the passkey and marks the session. @returns the time of it, ms. @throws AppError 422, 429, 503 */
async function confirmSessionByPasskey(context: APIContext, passkey: AuthenticationResponse): Promise<number> {
  const { id } = requireUser(context)
  const rp = requireRelyingParty(context)
  const { db, network } = context.locals
  await limit('passkey-answer', network, ...PASSKEY_RATE_LIMITS.answersPerNetwork)
  const now = Date.now()
  await confirmByPasskey(db, rp, id, passkey, now)
  await markRecentlyAuthenticated(db, sessionToken(context.cookies)!, now, 'passkey')
  return now
}

async function sendConfirmationMail(context: APIContext): Promise<void> {
  const { email } = requireUser(context)
  if (email === null) throw new AppError(409, RECENT_AUTH_TEXTS.noEmail)
  await limit('sign-in-mail-known-device', email, ...SIGN_IN_RATE_LIMITS.mailsOfDevices)
  const token = await issueTokenWithinLimits(context.locals.db, email, {
    purpose: 'confirm',
    device: await identifyDevice(context, email),
  })
  if (!token) return incrementCounter('refused', 'mails to a mailbox')
  const mail = buildConfirmationMail(token.code, minutesUntil(token.expiresAt))
  await sendAwaitedMail({ to: email, ...mail }, `para confirmar como ${email}: código ${token.code}`)
}

/** POST /api/auth/confirm/code `{code}`: the session counts as recently authenticated from now on. */
export const confirmWithCode = formEndpoint({
  answers: { 200: confirmedAnswer },
  who: requireUser,
  input: confirmInput,
  save: async (context, { email }, { code }) => toConfirmed(await confirmSession(context, email, code)),
  done: (_, __, form) => pageOf(form).done,
  refused: (_, { status }, form) => pageOf(form).step(status === 429 ? 'muchos' : 'codigo'),
})

/** Verifies the code and marks the session. @returns the time of it, ms. @throws AppError 409, 422, 429 */
async function confirmSession(context: APIContext, email: string | null, code: string): Promise<number> {
  if (email === null) throw new AppError(409, RECENT_AUTH_TEXTS.noEmail)
  await limit('sign-in-code-known-device', email, ...SIGN_IN_RATE_LIMITS.codesOfDevices)
  const device = (await identifyDevice(context, email))!
  const now = Date.now()
  if (!(await verifyCode(context.locals.db, { email, code, purpose: 'confirm', device }, now)))
    throw invalid(SIGN_IN_TEXTS.wrongCode, { code: SIGN_IN_TEXTS.wrongCode })
  await markRecentlyAuthenticated(context.locals.db, sessionToken(context.cookies)!, now, 'code')
  return now
}

/** A proof of identity, or none: then a code is mailed. */
export const confirmIdentityInput = z.object({
  passkey: z.optional(authenticationSchema),
  code: z.optional(confirmInput.shape.code),
})
