import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { AppError, invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { isHoneypotFilled, HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, json, readForm, readJson } from '#server/endpoint.ts'
import { log } from '#server/log/log.ts'
import { isMailWrittenToOutbox, sendMail } from '#server/mail.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { identifyDevice } from '#features/auth/sessions/known-device.http.ts'
import { closeSession, openSession } from '#features/auth/sessions/session.http.ts'
import { incrementCounter } from '#server/counters.ts'
import { newAccountQuota } from './account-quota.http.ts'
import { SIGN_IN_RATE_LIMITS } from '#features/auth/auth.ts'
import { signInByCode } from './sign-in-codes.server.ts'
import { clearFlash, isForm, redirect, redirectWithFlash } from '#features/auth/forms.http.ts'
import { toSendingError, SIGN_IN_TEXTS } from './sign-in.ts'
import { codeInput, linkInput, magicLinkInput } from './sign-in-input.ts'
import { buildSignInMail } from './sign-in-mail.ts'
import { issueTokenWithinLimits, signInByLink } from './sign-in-tokens.server.ts'

// Each handler answers programs (JSON in, JSON or problem+json out) and plain HTML forms (a redirect either way).

const MAX_FORM_BYTES = 16 * 1024

const applyLimit = (what: string, who: string, [points, seconds]: readonly [number, number]) =>
  limit(what, who, points, seconds)

/** POST /api/auth/magic-link: mails link and code, alike for known and unknown addresses. */
export const magicLink = endpoint(async (context) => {
  if (!isForm(context)) {
    await sendSignInMail(context, await readJson(context, magicLinkInput))
    return json({ sent: true }, 202)
  }
  const typed = Object.fromEntries(await readForm(context, MAX_FORM_BYTES))
  const email = String(typed.email ?? '')
  try {
    await sendSignInMail(context, validate(magicLinkInput, typed))
  } catch (error) {
    const { status, message } = asAppError(error)
    return redirectWithFlash(context, paths.login, { email, error: toSendingError(status, message) })
  }
  return redirectWithFlash(context, paths.signInCode, { email: email.trim(), error: '' })
})

async function sendSignInMail(
  context: APIContext,
  { email, [HONEYPOT_FIELD]: trap }: z.output<typeof magicLinkInput>,
): Promise<void> {
  if (isHoneypotFilled(trap)) return incrementCounter('refused', 'trap of the sign-in form')
  const device = await identifyDevice(context, email)
  // A device that is known has an allowance of its own, which nobody on its network can use up.
  if (device === null) {
    await applyLimit('mails of an ip', context.locals.ip, SIGN_IN_RATE_LIMITS.mailsPerIp)
    await limit(
      'mails of an ip a day',
      context.locals.ip,
      ...SIGN_IN_RATE_LIMITS.mailsPerIpADay,
      SIGN_IN_TEXTS.manyMails,
    )
  } else await applyLimit('mails of known devices', email, SIGN_IN_RATE_LIMITS.mailsOfDevices)
  const issued = await issueTokenWithinLimits(context.locals.db, email, { device })
  // Answered as ever: nobody learns from it how many others have asked for.
  if (!issued) return incrementCounter('refused', 'mails to a mailbox')
  const { token, code } = issued
  const link = linkBase() + paths.signIn(token)
  try {
    await sendMail({ to: email, ...buildSignInMail({ link, code }) })
  } catch (error) {
    // The outbox is on our own disk, which has its sentences.
    if (findStorageFailure(error)) throw error
    console.error('perrario · el mensaje de entrada no se pudo enviar:', error)
    throw new AppError(502, SIGN_IN_TEXTS.failed)
  }
  // For the person at the terminal. A log that is kept must not let anybody in: there the mail in the outbox is all there is.
  if (isMailWrittenToOutbox() && log().isTerminal)
    process.stdout.write(`perrario · para entrar como ${email}: ${link} (código ${code})\n`)
}

/** Never the Host header: whoever asks for a mail would choose where its link leads. */
const linkBase = () => getEnv().siteUrl ?? `http://localhost:${getEnv().port}`

/** POST /api/auth/code: signs in with the typed code. */
export const code = endpoint(async (context) => {
  if (!isForm(context)) return openSession(context, await signInWithCode(context, await readJson(context, codeInput)))
  const typed = Object.fromEntries(await readForm(context, MAX_FORM_BYTES))
  try {
    await openSession(context, await signInWithCode(context, validate(codeInput, typed)))
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
  if (device === null) await applyLimit('codes of an ip', context.locals.ip, SIGN_IN_RATE_LIMITS.codesPerIp)
  else await applyLimit('codes of known devices', email, SIGN_IN_RATE_LIMITS.codesOfDevices)
  const account = await signInByCode(
    context.locals.db,
    email,
    code,
    Date.now(),
    newAccountQuota(context.locals.ip),
    device,
  )
  if (!account) throw invalid(SIGN_IN_TEXTS.wrongCode, { code: SIGN_IN_TEXTS.wrongCode })
  return account
}

/** POST /api/auth/link: what the button on the mailed link's page sends. A dead link's page says why it is dead. */
export const link = endpoint(async (context) => {
  const form = isForm(context)
  const { token } = form
    ? validate(linkInput, Object.fromEntries(await readForm(context, MAX_FORM_BYTES)))
    : await readJson(context, linkInput)
  const entering = signInByLink(context.locals.db, token, Date.now(), newAccountQuota(context.locals.ip))
  const account = await (form ? entering.catch(asAppError) : entering)
  if (account instanceof AppError) return redirectWithFlash(context, paths.login, { email: '', error: account.message })
  if (!account) {
    if (form) return redirect(paths.signIn(token))
    throw invalid(SIGN_IN_TEXTS.deadLink, { token: SIGN_IN_TEXTS.deadLink })
  }
  const opened = await openSession(context, account)
  if (!form) return opened
  clearFlash(context)
  return redirect(paths.profile)
})

/** POST /api/auth/sign-out: ends the session; without one there is nothing to do, which is no error. */
export const signOut = endpoint(async (context) => {
  await closeSession(context)
  return isForm(context) ? redirect(paths.home) : { user: null, expiresAt: null }
})

/** A refusal that has its words; anything else is thrown on. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
