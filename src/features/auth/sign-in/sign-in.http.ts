import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { AppError, invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { HONEYPOT_FIELD, isHoneypotFilled } from '#lib/honeypot.ts'
import { siteBase } from '#server/env.ts'
import { endpoint } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { countRefusal, HONEYPOT_OFFENCE, recordOffence } from '#server/limits/network-conduct.ts'
import { limit, TOO_MANY_REQUESTS } from '#server/limits/rate-limit.ts'
import { closeSession, identifyDevice, openSession } from '#features/auth/sessions/session.http.ts'
import { incrementCounter } from '#server/counters.ts'
import { newAccountQuota } from './account-quota.http.ts'
import { sendAwaitedMail } from './awaited-mail.http.ts'
import { minutesUntil, SIGN_IN_RATE_LIMITS } from '#features/auth/auth.ts'
import { signInByCode } from './sign-in-codes.server.ts'
import {
  endSignIn,
  forgetFlash,
  redirectWithFlash,
  rememberSentCode,
  renderWithFlash,
  setFlash,
} from '#features/auth/flash.http.ts'
import { isForm, redirect } from '#server/forms.ts'
import { toMailbox } from './mailbox.server.ts'
import { MAIL_LIMIT_TEXTS, SIGN_IN_TEXTS, toSendingError } from './sign-in.ts'
import { codeInput, LINK_TOKEN_FORM, linkInput, magicLinkInput } from './sign-in-input.ts'
import { buildSignInMail } from './sign-in-mail.ts'
import { describeMailLimit, findIssuer, issueTokenWithinLimits, signInByLink } from './sign-in-tokens.server.ts'
import { noSessionAnswer, openedSessionAnswer, signInMailAnswer } from '../answers.ts'

// Each handler serves clients that send JSON (JSON or problem+json out) and plain HTML forms (redirected on success and on error).

const applyLimit = (name: string, key: string, [points, seconds]: readonly [number, number]) =>
  limit(name, key, points, seconds)

/** POST /api/auth/magic-link: mails link and code; answers alike for known and unknown addresses. */
export const requestMagicLink = formEndpoint({
  answers: { 202: signInMailAnswer },
  who: () => null,
  input: magicLinkInput,
  async save(context, _, input) {
    const notice = await sendSignInMail(context, input)
    if (!isForm(context)) rememberSentCode(context, input.email)
    return { sent: true as const, ...(notice !== undefined && { notice }) }
  },
  done(context, { notice }, form) {
    const email = typedEmail(form).trim()
    setFlash(context, { email, error: '', notice: notice ?? (form.get('again') ? SIGN_IN_TEXTS.sentAgain : undefined) })
    return paths.signInCode
  },
  refused(context, refusal, form) {
    const email = typedEmail(form)
    if (refusal.extensions) return renderRefusal(context, refusal, email)
    const { status, message } = refusal
    return redirectWithFlash(context, paths.login, { email, error: toSendingError(status, message) })
  },
})

const typedEmail = (form: FormData): string => String(form.get('email') ?? '')

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
      await limit('sign-in-mail-day', network, ...day, MAIL_LIMIT_TEXTS.manyMails)
    })
  } else await applyLimit('sign-in-mail-known-device', email, SIGN_IN_RATE_LIMITS.mailsOfDevices)
  const { db, mailQueue } = context.locals
  const sender = { network, knownMailbox: device === null ? null : toMailbox(email) }
  // States of the whole site and of the network, before any mailbox is looked at.
  if (mailQueue?.isDelivering() === false) throw notSent()
  if (mailQueue?.hasRoomFor(sender) === false) throw networkQueueFull()
  const secrets = await issueTokenWithinLimits(db, email, { device })
  if (!secrets) {
    incrementCounter('refused', 'mails to a mailbox')
    return describeMailLimit(db, email, device)
  }
  const { token, code, expiresAt } = secrets
  const link = siteBase() + paths.signIn(token)
  const mail = { to: email, ...buildSignInMail({ link, code, minutes: minutesUntil(expiresAt) }) }
  if (!mailQueue) await sendAwaitedMail(mail, `para entrar como ${email}: ${link} (código ${code})`)
  // Other requests of the same moment took the last place.
  else if (!mailQueue.enqueue(mail, sender)) throw mailQueue.hasRoomFor(sender) ? notSent() : networkQueueFull()
  return undefined
}

const notSent = () => new AppError(502, SIGN_IN_TEXTS.failed)

function networkQueueFull(): AppError {
  incrementCounter('refused', 'queued mails of a network')
  return new AppError(429, TOO_MANY_REQUESTS, { retryAfter: 60 })
}

/** POST /api/auth/code: signs in with the typed code. */
export const submitCode = formEndpoint({
  answers: { 200: openedSessionAnswer },
  who: () => null,
  input: codeInput,
  save: async (context, _, input) => openSession(context, await signInWithCode(context, input), { method: 'code' }),
  done: endSignIn,
  refused: (context, { message }, form) =>
    redirectWithFlash(context, paths.signInCode, { email: typedEmail(form).trim(), error: message }),
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

/** POST /api/auth/link: the button on the mailed link's page. The form of an invalid link leads to its page, which explains why. */
export const submitLink = formEndpoint({
  answers: { 200: openedSessionAnswer },
  who: () => null,
  input: linkInput,
  async save(context, _, { token }) {
    const { db, network } = context.locals
    const account = await signInByLink(db, token, Date.now(), newAccountQuota(network))
    if (!account) throw invalid(SIGN_IN_TEXTS.deadLink, { token: SIGN_IN_TEXTS.deadLink })
    const isByOperator = (await findIssuer(db, token)) === 'operator'
    return openSession(context, account, { method: isByOperator ? 'operator-link' : 'link' })
  },
  done: endSignIn,
  refused(context, { status, message }, form) {
    const token = String(form.get('token'))
    if (status !== 422) return redirectWithFlash(context, paths.login, { email: '', error: message })
    return LINK_TOKEN_FORM.test(token) ? paths.signIn(token) : undefined
  },
})

/** POST /api/auth/sign-out: ends the session; without one it does nothing. */
export const signOut = endpoint({ 200: noSessionAnswer, 303: null }, async (context) => {
  await closeSession(context)
  forgetFlash(context)
  return isForm(context) ? redirect(paths.home) : { user: null, expiresAt: null }
})
