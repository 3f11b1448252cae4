import type { APIContext } from 'astro'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { openSession } from '#features/auth/sessions/session.http.ts'
import { clearFlash, redirectWithFlash } from '#features/auth/flash.http.ts'
import { AppError } from '#lib/errors.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, readForm, readJson, requireAuthenticatedMember, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { claimRequest } from '#server/idempotency.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { openedSessionAnswer, recoveryCodesAnswer } from '../answers.ts'
import { formatRecoveryCode, RECOVERY_RATE_LIMIT } from './recovery-codes.ts'
import { countRecoveryCodes, createRecoveryCodes, signInByRecoveryCode } from './recovery-codes.server.ts'
import { recoveryCodeInput } from './recovery-input.ts'

/** POST /api/account/recovery-codes: ten new codes in place of the earlier ones. They are answered once and stored as hashes. */
export const renewRecoveryCodes = endpoint({ 201: recoveryCodesAnswer }, async (context) => {
  await claimRequest(context, '')
  return { codes: (await renew(context)).map(formatRecoveryCode) }
})

async function renew(context: APIContext): Promise<string[]> {
  const member = requireAuthenticatedMember(context)
  const codes = await createRecoveryCodes(context.locals.db, member)
  await mailAlerts(context.locals.db, member.id)
  return codes
}

/** The page of recovery codes: its POST makes new ones, which its answer shows. */
export async function handleRecoveryCodes(context: APIContext) {
  const { db } = context.locals
  const member = requireAuthenticatedMember(context)
  if (context.request.method !== 'POST') return { codes: null, standing: await countRecoveryCodes(db, member.id) }
  await readForm(context)
  return { codes: await renew(context), standing: null }
}

/** POST /api/auth/recovery `{code}`: signs in with a recovery code. */
export const submitRecoveryCode = endpoint({ 200: openedSessionAnswer, 303: null }, async (context) => {
  const signIn = async (typed: unknown) => {
    await limit('recovery-code', context.locals.network, ...RECOVERY_RATE_LIMIT)
    const account = await signInByRecoveryCode(context.locals.db, validate(recoveryCodeInput, typed).code)
    return openSession(context, account, { method: 'recovery-code' })
  }
  if (!isForm(context)) return signIn(await readJson(context, recoveryCodeInput))
  const form = Object.fromEntries(await readForm(context))
  try {
    await signIn(form)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return redirectWithFlash(context, authPaths.signInRecovery, { email: '', error: error.message })
  }
  clearFlash(context)
  return redirect(paths.profile)
})
