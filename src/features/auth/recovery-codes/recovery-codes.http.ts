import type { APIContext } from 'astro'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { openSession } from '#features/auth/sessions/session.http.ts'
import { endSignIn, redirectWithFlash } from '#features/auth/flash.http.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { endpoint, readForm, requireAuthenticatedMember } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { claimRequest } from '#server/idempotency.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { openedSessionAnswer, recoveryCodesAnswer } from '../answers.ts'
import { formatRecoveryCode, RECOVERY_RATE_LIMIT, recoveryCodeInput } from './recovery-codes.ts'
import { countRecoveryCodes, createRecoveryCodes, signInByRecoveryCode } from './recovery-codes.server.ts'

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
export const submitRecoveryCode = formEndpoint({
  answers: { 200: openedSessionAnswer },
  who: () => null,
  input: recoveryCodeInput,
  async save(context, _, { code }) {
    await limit('recovery-code', context.locals.network, ...RECOVERY_RATE_LIMIT)
    return openSession(context, await signInByRecoveryCode(context.locals.db, code), { method: 'recovery-code' })
  },
  done: endSignIn,
  refused: (context, { message }) =>
    redirectWithFlash(context, authPaths.signInRecovery, { email: '', error: message }),
})
