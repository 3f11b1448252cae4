import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { AppError, invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { isHoneypotFilled, HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { siteBase } from '#server/env.ts'
import { validate, endpoint, readForm, readJson } from '#server/endpoint.ts'
import { log } from '#server/log/log.ts'
import { type Mail, sendMail } from '#server/mail.ts'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { countRefusal, HONEYPOT_OFFENCE, recordOffence } from '#server/limits/network-conduct.ts'
import { limit, TOO_MANY_REQUESTS } from '#server/limits/rate-limit.ts'
import { identifyDevice } from '#features/auth/sessions/known-device.http.ts'
import { closeSession, openSession } from '#features/auth/sessions/session.http.ts'
import { incrementCounter } from '#server/counters.ts'
import { newAccountQuota } from './account-quota.http.ts'
import { minutesUntil, SIGN_IN_RATE_LIMITS } from '#features/auth/auth.ts'
import { signInByCode } from './sign-in-codes.server.ts'
import {
  clearFlash,
  forgetFlash,
  redirectWithFlash,
  rememberSentCode,
  renderWithFlash,
} from '#features/auth/flash.http.ts'
import { isForm, redirect } from '#server/forms.ts'
import { toMailbox } from './mailbox.server.ts'
import { toSendingError, SIGN_IN_TEXTS } from './sign-in.ts'
import { codeInput, linkInput, magicLinkInput } from './sign-in-input.ts'
import { buildSignInMail } from './sign-in-mail.ts'
import { describeMailLimit, findIssuer, issueTokenWithinLimits, signInByLink } from './sign-in-tokens.server.ts'
import { noSessionAnswer, openedSessionAnswer, signInMailAnswer } from '../answers.ts'

// Each handler serves clients that send JSON (JSON or problem+json out) and plain HTML forms (redirected on success and on error).

const applyLimit = (name: string, key: string, [points, seconds]: readonly [number, number]) =>
  limit(name, key, points, seconds)

/** POST /api/auth/magic-link: mails link and code; answers alike for known and unknown addresses. */
export const requestMagicLink = endpoint({ 202: signInMailAnswer, 303: null }, async (context) => {
  if (!isForm(context)) {
    const input = await readJson(context, magicLinkInput)
    const notice = await sendSignInMail(context, input)
    rememberSentCode(context, input.email)
    return { sent: true as const, ...(notice !== undefined && { notice }) }
  }
  const typed = Object.fromEntries(await readForm(context))
  const email = String(typed.email ?? '')
  let notice: string | undefined
  try {
    notice = await sendSignInMail(context, validate(magicLinkInput, typed))
  } catch (error) {
    const refusal = asAppError(error)
    if (refusal.extensions) return renderRefusal(context, refusal, email)
    const { status, message } = refusal
    return redirectWithFlash(context, paths.login, { email, error: toSendingError(status, message) })
  }
  if (typed.again) notice ??= SIGN_IN_TEXTS.sentAgain
  return redirectWithFlash(context, paths.signInCode, { email: email.trim(), error: '', notice })
})

/** Without script nobody can solve a challenge: the form answers the same error as the API, as its page. */
async function renderRefusal(context: APIContext, { status, message, retryAfter = 60 }: AppError, email: string) {
  const page = await renderWithFlash(context, paths.login, { email, error: message })
  const headers = new Headers(page.headers)
  headers.set('Retry-After', String(Math.ceil(retryAfter)))
  return new Response(page.body, { status, headers })
}

/** @returns what to say instead where the mailbox has had its mails */
async function sendSignInMail(
  context: APIContext,
  { email, [HONEYPOT_FIELD]: honeypot }: z.output<typeof magicLinkInput>,
): Promise<string | undefined> {
  const { network } = context.locals
  if (isHoneypotFilled(honeypot)) {
    await recordOffence(network, HONEYPOT_OFFENCE)
    incrementCounter('refused', 'trap of the sign-in form')
    return undefined
  }
  const device = await identifyDevice(context, email)
  // A known device has a limit of its own, which nobody else can exhaust, and nothing to prove.
  if (device === null) {
    await requireProof(context, 'sign-in')
    await countRefusal(network, async () => {
      await applyLimit('sign-in-mail', network, SIGN_IN_RATE_LIMITS.mailsPerNetwork)
      const day = SIGN_IN_RATE_LIMITS.mailsPerNetworkPerDay
      await limit('sign-in-mail-day', network, ...day, SIGN_IN_TEXTS.manyMails)
    })
  } else await applyLimit('sign-in-mail-known-device', email, SIGN_IN_RATE_LIMITS.mailsOfDevices)
  const { db, mailQueue } = context.locals
  const sender = { network, knownMailbox: device === null ? null : toMailbox(email) }
  // States of the whole site and of the network, before any mailbox is looked at.
  if (mailQueue?.isDelivering() === false) throw notSent()
  if (mailQueue?.hasRoomFor(sender) === false) throw networkQueueFull()
  const secrets = await issueTokenWithinLimits(db, email, { device })
  if (!secrets) incrementCounter('refused', 'mails to a mailbox')
  const notice = secrets ? undefined : await describeMailLimit(db, email, device)
  const link = siteBase() + paths.signIn(secrets?.token ?? '')
  const mail = secrets && {
    to: email,
    ...buildSignInMail({ link, code: secrets.code, minutes: minutesUntil(secrets.expiresAt) }),
  }
  if (mailQueue) {
    if (!mail) return notice
    // Other requests of the same moment took the last place.
    if (!mailQueue.enqueue(mail, sender)) throw mailQueue.hasRoomFor(sender) ? notSent() : networkQueueFull()
    return undefined
  }
  if (!mail) return notice
  await writeMailToOutbox(mail)
  // Printed for the person at a terminal only: a stored log must hold nothing that signs anyone in.
  if (log().isTerminal) process.stdout.write(`perrario · para entrar como ${email}: ${link} (código ${secrets.code})\n`)
  return undefined
}

const notSent = () => new AppError(502, SIGN_IN_TEXTS.failed)

function networkQueueFull(): AppError {
  incrementCounter('refused', 'queued mails of a network')
  return new AppError(429, TOO_MANY_REQUESTS, { retryAfter: 60 })
}

async function writeMailToOutbox(mail: Mail): Promise<void> {
  try {
    await sendMail(mail)
  } catch (error) {
    // A failing disk under the outbox has its own error texts.
    if (findStorageFailure(error)) throw error
    console.error('perrario · el mensaje de entrada no se pudo escribir:', error)
    throw notSent()
  }
}

/** POST /api/auth/code: signs in with the typed code. */
export const submitCode = endpoint({ 200: openedSessionAnswer, 303: null }, async (context) => {
  if (!isForm(context))
    return openSession(context, await signInWithCode(context, await readJson(context, codeInput)), { method: 'code' })
  const typed = Object.fromEntries(await readForm(context))
  try {
    await openSession(context, await signInWithCode(context, validate(codeInput, typed)), { method: 'code' })
  } catch (error) {
    const { message } = asAppError(error)
    return redirectWithFlash(context, paths.signInCode, { email: String(typed.email ?? '').trim(), error: message })
  }
  clearFlash(context)
  return redirect(paths.profile)
})

async function signInWithCode(context: APIContext, input: { email: string; code: string }) {
  const { email, code } = input
  const device = await identifyDevice(context, email)
  const { network } = context.locals
  if (device === null)
    await countRefusal(network, () => applyLimit('sign-in-code', network, SIGN_IN_RATE_LIMITS.codesPerNetwork))
  else await applyLimit('sign-in-code-known-device', email, SIGN_IN_RATE_LIMITS.codesOfDevices)
  const account = await signInByCode(context.locals.db, email, code, Date.now(), newAccountQuota(network), device)
  if (!account) throw invalid(SIGN_IN_TEXTS.wrongCode, { code: SIGN_IN_TEXTS.wrongCode })
  return account
}

/** POST /api/auth/link: the button on the mailed link's page. An invalid link redirects to its page, which explains why. */
export const submitLink = endpoint({ 200: openedSessionAnswer, 303: null }, async (context) => {
  const isFormRequest = isForm(context)
  const { token } = isFormRequest
    ? validate(linkInput, Object.fromEntries(await readForm(context)))
    : await readJson(context, linkInput)
  const signingIn = signInByLink(context.locals.db, token, Date.now(), newAccountQuota(context.locals.network))
  const account = await (isFormRequest ? signingIn.catch(asAppError) : signingIn)
  if (account instanceof AppError) return redirectWithFlash(context, paths.login, { email: '', error: account.message })
  if (!account) {
    if (isFormRequest) return redirect(paths.signIn(token))
    throw invalid(SIGN_IN_TEXTS.deadLink, { token: SIGN_IN_TEXTS.deadLink })
  }
  const isByOperator = (await findIssuer(context.locals.db, token)) === 'operator'
  const opened = await openSession(context, account, { method: isByOperator ? 'operator-link' : 'link' })
  if (!isFormRequest) return opened
  clearFlash(context)
  return redirect(paths.profile)
})

/** POST /api/auth/sign-out: ends the session; without one it does nothing. */
export const signOut = endpoint({ 200: noSessionAnswer, 303: null }, async (context) => {
  await closeSession(context)
  forgetFlash(context)
  return isForm(context) ? redirect(paths.home) : { user: null, expiresAt: null }
})

/** Returns an AppError, and rethrows anything else. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
