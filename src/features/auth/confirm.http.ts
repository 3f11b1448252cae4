import type { APIContext } from 'astro'
import { AppError, invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { storageTrouble } from '#lib/storage.ts'
import { deviceFor } from '#features/auth/device.http.ts'
import { check, endpoint, json, readForm, readJson, requireUser } from '#server/http.ts'
import { log } from '#server/log/log.ts'
import { mailStaysHere, sendMail } from '#server/mail.ts'
import { limit } from '#server/rate.ts'
import { sessionToken } from '#features/auth/session.http.ts'
import { tally } from '#server/tally.ts'
import { LIMITS, PROOF_MINUTES } from './auth.ts'
import { confirmByCode } from './codes.server.ts'
import { confirmMail } from './confirm-mail.ts'
import { isForm, redirect } from './forms.http.ts'
import { proveSession } from './lucia.server.ts'
import { PROOF_TEXTS } from './proof.ts'
import { TEXTS } from './sign-in.ts'
import { confirmInput } from './sign-in-input.ts'
import { issueWithin } from './tokens.server.ts'

// Confirming that it is still the member who sits there, before what is final or tells all. Programs send JSON, plain forms
// are led back to the account's page.

const FORM_LIMIT = 16 * 1024

/** POST /api/auth/confirm: mails the member a code. */
export const send = endpoint(async (context) => {
  if (!isForm(context)) {
    await mailCode(context)
    return json({ sent: true }, 202)
  }
  await readForm(context, FORM_LIMIT)
  if (!context.locals.user) return redirect(paths.login)
  try {
    await mailCode(context)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirect(paths.accountConfirm('fallo'))
  }
  return redirect(paths.accountConfirm('enviado'))
})

async function mailCode(context: APIContext): Promise<void> {
  const { email } = requireUser(context)
  if (email === null) throw new AppError(409, PROOF_TEXTS.noEmail)
  await limit('mails of known devices', email, ...LIMITS.mailsOfDevices)
  const issued = await issueWithin(context.locals.db, email, {
    purpose: 'confirm',
    device: await deviceFor(context, email),
  })
  if (!issued) return tally('refused', 'mails to a mailbox')
  try {
    await sendMail({ to: email, ...confirmMail(issued.code) })
  } catch (error) {
    // The outbox is on our own disk, which has its sentences.
    if (storageTrouble(error)) throw error
    console.error('perrario · el mensaje de confirmación no se pudo enviar:', error)
    throw new AppError(502, TEXTS.failed)
  }
  if (mailStaysHere() && log().isTerminal)
    process.stdout.write(`perrario · para confirmar como ${email}: código ${issued.code}\n`)
}

/** POST /api/auth/confirm/code `{code}`: from here on the session counts as just begun. */
export const prove = endpoint(async (context) => {
  if (!isForm(context)) {
    const user = requireUser(context)
    const { code } = await readJson(context, confirmInput)
    return { provedUntil: (await proveBy(context, user.email, code)) + PROOF_MINUTES * 60_000 }
  }
  const form = Object.fromEntries(await readForm(context, FORM_LIMIT))
  const { user } = context.locals
  if (!user) return redirect(paths.login)
  try {
    await proveBy(context, user.email, check(confirmInput, form).code)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirect(paths.accountConfirm(error.status === 429 ? 'muchos' : 'codigo'))
  }
  return redirect(paths.accountProved)
})

/** @returns when */
async function proveBy(context: APIContext, email: string | null, code: string): Promise<number> {
  if (email === null) throw new AppError(409, PROOF_TEXTS.noEmail)
  await limit('codes of known devices', email, ...LIMITS.codesOfDevices)
  const device = (await deviceFor(context, email))!
  const now = Date.now()
  if (!(await confirmByCode(context.locals.db, { email, code, device }, now)))
    throw invalid(TEXTS.wrongCode, { code: TEXTS.wrongCode })
  await proveSession(context.locals.db, sessionToken(context.cookies)!, now)
  return now
}
