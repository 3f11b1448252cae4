import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { AppError, invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { isTrapped, TRAP } from '#lib/trap.ts'
import { storageTrouble } from '#lib/storage.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint, json, readForm, readJson } from '#server/http.ts'
import { log } from '#server/log/log.ts'
import { mailStaysHere, sendMail } from '#server/mail.ts'
import { limit } from '#server/rate.ts'
import { deviceFor } from '#features/auth/device.http.ts'
import { closeSession, openSession } from '#features/auth/session.http.ts'
import { tally } from '#server/tally.ts'
import { admitFrom } from './admit.http.ts'
import { LIMITS } from './auth.ts'
import { signInByCode } from './codes.server.ts'
import { forget, isForm, redirect, remember } from './forms.http.ts'
import { sendingError, TEXTS } from './sign-in.ts'
import { codeInput, linkInput, magicLinkInput } from './sign-in-input.ts'
import { signInMail } from './sign-in-mail.ts'
import { issueWithin, signInByLink } from './tokens.server.ts'

// Each handler answers programs (JSON in, JSON or problem+json out) and plain HTML forms (a redirect either way).

const FORM_LIMIT = 16 * 1024

const take = (what: string, who: string, [points, seconds]: readonly [number, number]) =>
  limit(what, who, points, seconds)

/** POST /api/auth/magic-link: mails link and code, alike for known and unknown addresses. */
export const magicLink = endpoint(async (context) => {
  if (!isForm(context)) {
    await mailLink(context, await readJson(context, magicLinkInput))
    return json({ sent: true }, 202)
  }
  const typed = Object.fromEntries(await readForm(context, FORM_LIMIT))
  const email = String(typed.email ?? '')
  try {
    await mailLink(context, check(magicLinkInput, typed))
  } catch (error) {
    const { status, message } = asAppError(error)
    return remember(context, paths.login, { email, error: sendingError(status, message) })
  }
  return remember(context, paths.signInCode, { email: email.trim(), error: '' })
})

async function mailLink(context: APIContext, { email, [TRAP]: trap }: z.output<typeof magicLinkInput>): Promise<void> {
  if (isTrapped(trap)) return tally('refused', 'trap of the sign-in form')
  const device = await deviceFor(context, email)
  // A device that is known has an allowance of its own, which nobody on its network can use up.
  if (device === null) {
    await take('mails of an ip', context.locals.ip, LIMITS.mailsPerIp)
    await limit('mails of an ip a day', context.locals.ip, ...LIMITS.mailsPerIpADay, TEXTS.manyMails)
  } else await take('mails of known devices', email, LIMITS.mailsOfDevices)
  const issued = await issueWithin(context.locals.db, email, { device })
  // Answered as ever: nobody learns from it how many others have asked for.
  if (!issued) return tally('refused', 'mails to a mailbox')
  const { token, code } = issued
  const link = linkBase() + paths.signIn(token)
  try {
    await sendMail({ to: email, ...signInMail({ link, code }) })
  } catch (error) {
    // The outbox is on our own disk, which has its sentences.
    if (storageTrouble(error)) throw error
    console.error('perrario · el mensaje de entrada no se pudo enviar:', error)
    throw new AppError(502, TEXTS.failed)
  }
  // For the person at the terminal. A log that is kept must not let anybody in: there the mail in the outbox is all there is.
  if (mailStaysHere() && log().isTerminal)
    process.stdout.write(`perrario · para entrar como ${email}: ${link} (código ${code})\n`)
}

/** Never the Host header: whoever asks for a mail would choose where its link leads. */
const linkBase = () => getEnv().siteUrl ?? `http://localhost:${getEnv().port}`

/** POST /api/auth/code: signs in with the typed code. */
export const code = endpoint(async (context) => {
  if (!isForm(context)) return openSession(context, await byCode(context, await readJson(context, codeInput)))
  const typed = Object.fromEntries(await readForm(context, FORM_LIMIT))
  try {
    await openSession(context, await byCode(context, check(codeInput, typed)))
  } catch (error) {
    const { message } = asAppError(error)
    return remember(context, paths.signInCode, { email: String(typed.email ?? '').trim(), error: message })
  }
  forget(context)
  return redirect(paths.profile)
})

async function byCode(context: APIContext, input: { email: string; code: string }) {
  const { email, code } = input
  const device = await deviceFor(context, email)
  if (device === null) await take('codes of an ip', context.locals.ip, LIMITS.codesPerIp)
  else await take('codes of known devices', email, LIMITS.codesOfDevices)
  const account = await signInByCode(context.locals.db, email, code, Date.now(), admitFrom(context.locals.ip), device)
  if (!account) throw invalid(TEXTS.wrongCode, { code: TEXTS.wrongCode })
  return account
}

/** POST /api/auth/link: what the button on the mailed link's page sends. A dead link's page says why it is dead. */
export const link = endpoint(async (context) => {
  const form = isForm(context)
  const { token } = form
    ? check(linkInput, Object.fromEntries(await readForm(context, FORM_LIMIT)))
    : await readJson(context, linkInput)
  const entering = signInByLink(context.locals.db, token, Date.now(), admitFrom(context.locals.ip))
  const account = await (form ? entering.catch(asAppError) : entering)
  if (account instanceof AppError) return remember(context, paths.login, { email: '', error: account.message })
  if (!account) {
    if (form) return redirect(paths.signIn(token))
    throw invalid(TEXTS.deadLink, { token: TEXTS.deadLink })
  }
  const opened = await openSession(context, account)
  if (!form) return opened
  forget(context)
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
