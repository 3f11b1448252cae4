import * as z from 'zod/mini'
import type { APIContext } from 'astro'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { describeDevice } from '#features/auth/sessions/device-name.ts'
import type { SignInOptions } from '#features/auth/sessions/begin-session.server.ts'
import { openSession } from '#features/auth/sessions/session.http.ts'
import { newAccountQuota } from '#features/auth/sign-in/account-quota.http.ts'
import { askForProof } from '#features/auth/recent-auth/recent-auth.http.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { endpoint, findRequester, pathId, readJson, requireUser, validate } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { countRefusal } from '#server/limits/network-conduct.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { openedSessionAnswer, passkeyOptionsAnswer, registeredPasskeyAnswer, renamedPasskeyAnswer } from '../answers.ts'
import { beginAuthentication, signInByPasskey } from './authentication.server.ts'
import { passkeyOptionsInput, passkeySignInInput, registerPasskeyInput, renamePasskeyInput } from './passkey-input.ts'
import { PASSKEY_RATE_LIMITS, PASSKEY_TEXTS } from './passkeys.ts'
import { removePasskey, renamePasskey } from './passkeys.server.ts'
import { beginRegistration, finishRegistration, type PasskeyOwner } from './registration.server.ts'
import { requireRelyingParty, usableWays } from './relying-party.http.ts'

// Only scripts speak WebAuthn. The account's page renames and removes passkeys by plain forms as well.

/** The requester as the owner of a new passkey; null for a visitor. @throws AppError 401 for a session that has ended */
function passkeyOwner(context: APIContext): PasskeyOwner | null {
  const user = findRequester(context)
  return user && { ...user, authenticatedAt: context.locals.authenticatedAt }
}

/** POST /api/auth/passkeys/options `{for: 'register' | 'sign-in' | 'confirm'}`: what `navigator.credentials` is called with. */
export const passkeyOptions = endpoint({ 200: passkeyOptionsAnswer }, async (context) => {
  const { for: purpose } = await readJson(context, passkeyOptionsInput)
  const userId = purpose === 'confirm' ? requireUser(context).id : null
  const owner = purpose === 'register' ? passkeyOwner(context) : null
  const rp = requireRelyingParty(context)
  const { db, network } = context.locals
  // An account begins here: who is not asked before the browser's ceremony loses a passkey that nobody has taken.
  if (purpose === 'register' && owner === null) await requireProof(context, 'passkey')
  await countRefusal(network, () => limit('passkey-challenge', network, ...PASSKEY_RATE_LIMITS.challengesPerNetwork))
  const options =
    purpose === 'register' ? await beginRegistration(db, rp, owner) : await beginAuthentication(db, rp, userId)
  return { options: options as Record<string, unknown> }
})

/** POST /api/auth/passkeys `{passkey}`: adds it to the member's account; for a visitor it opens a new account and a session. */
export const registerPasskey = endpoint({ 201: registeredPasskeyAnswer }, async (context) => {
  const { passkey: response } = await readJson(context, registerPasskeyInput)
  const owner = passkeyOwner(context)
  const rp = requireRelyingParty(context)
  const { db, network, user, expiresAt } = context.locals
  await limit('passkey-answer', network, ...PASSKEY_RATE_LIMITS.answersPerNetwork)
  const device = describeDevice(context.request.headers.get('user-agent'))
  const admit = newAccountQuota(network)
  const { passkey, account, isVerified } = await finishRegistration(db, rp, owner, response, { device, admit })
  if (user && expiresAt !== null) {
    await mailAlerts(db, user.id)
    return { passkey, user, expiresAt }
  }
  return { passkey, ...(await openSession(context, account, byPasskey(isVerified))) }
})

/** @param isVerified whether the authenticator checked who uses it: only then it counts as recent authentication */
const byPasskey = (isVerified: boolean): SignInOptions => ({
  method: 'passkey',
  authenticatedAt: isVerified ? Date.now() : 0,
  provedBy: 'passkey',
})

/** POST /api/auth/passkeys/sign-in `{passkey}` */
export const signInWithPasskey = endpoint({ 200: openedSessionAnswer }, async (context) => {
  const { passkey } = await readJson(context, passkeySignInInput)
  const rp = requireRelyingParty(context)
  await limit('passkey-answer', context.locals.network, ...PASSKEY_RATE_LIMITS.answersPerNetwork)
  const { account, isVerified } = await signInByPasskey(context.locals.db, rp, passkey)
  return openSession(context, account, byPasskey(isVerified))
})

/** PATCH /api/auth/passkeys/{id} `{name}` */
export const editPasskey = endpoint({ 200: renamedPasskeyAnswer }, async (context) => {
  const user = requireUser(context)
  const id = pathId(context)
  const { name } = await readJson(context, renamePasskeyInput)
  return { passkey: await renamePasskey(context.locals.db, user, id, name) }
})

async function remove(context: APIContext): Promise<void> {
  const { db, authenticatedAt, sessionId } = context.locals
  const member = { ...requireUser(context), authenticatedAt }
  await removePasskey(db, member, pathId(context), { usable: usableWays(), sessionId })
  await mailAlerts(db, member.id)
}

/** DELETE /api/auth/passkeys/{id}: removes it and ends the member's other sessions. */
export const deletePasskey = endpoint({ 204: null }, async (context) => {
  await remove(context)
  return new Response(null, { status: 204 })
})

/** POST /api/auth/passkeys/{id} `accion=renombrar&name=` or `accion=quitar`: the same from plain forms. */
export const editPasskeyByForm = formEndpoint({
  who: requireUser,
  input: z.instanceof(FormData),
  fields: (form) => form,
  async save(context, user, form) {
    if (isRemoval(form)) return remove(context)
    const { name } = validate(renamePasskeyInput, { name: form.get('name') ?? '' })
    await renamePasskey(context.locals.db, user, pathId(context), name)
  },
  done: (_, __, form) => authPaths.accountPasskeys({ hecho: isRemoval(form) ? 'llave-quitada' : 'llave-nombre' }),
  refused: (context, error) =>
    error.status === 403
      ? askForProof(context, error)
      : authPaths.accountPasskeys({ error: ERROR_CODES[error.message] ?? 'llave-perdida' }),
})

const isRemoval = (form: FormData): boolean => form.get('accion') === 'quitar'

/** Error codes in the address that a form redirects to. */
const ERROR_CODES: Record<string, string> = {
  [PASSKEY_TEXTS.lastWay]: 'llave-unica',
  [PASSKEY_TEXTS.name]: 'llave-sin-nombre',
  [PASSKEY_TEXTS.longName]: 'llave-nombre-largo',
}
