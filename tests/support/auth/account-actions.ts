import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { createRecoveryCodes } from '#features/auth/recovery-codes/recovery-codes.server.ts'
import type { SecurityEvent } from '#features/auth/security-log/security-log.ts'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { listOpenSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { issueToken } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { type Answer, answered, call } from '#tests/support/api.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import type { TestServer } from '#tests/support/server.ts'
import { addAlertRow } from './alert-row.ts'
import { addPasskeyRow } from './passkey-row.ts'
import { SoftwarePasskey } from './software-authenticator.ts'
import { insert } from '#tests/support/rows.ts'

/** The host that the server is told it is: passkeys are bound to it. */
export const ORIGIN = 'http://localhost'

interface Scene {
  server: TestServer
  db: Db
  ana: TestMember
}

/** Prepares a call. @returns what makes it */
type Prepare = (scene: Scene) => Promise<() => Promise<Answer>> | (() => Promise<Answer>)
/** What a call leaves in the security log of who it concerns. */
interface AccountAction {
  events: readonly SecurityEvent[]
  prepare: Prepare
}
const leaves = (events: readonly SecurityEvent[], prepare: Prepare): AccountAction => ({ events, prepare })

const send = ({ server, ana }: Scene, method: string, path: string, json?: object) =>
  call(server, path, { method, cookie: ana.cookie, ...(json && { json }) })
const sendForm = ({ server, ana }: Scene, path: string, fields: Record<string, string>) =>
  call(server, path, { method: 'POST', cookie: ana.cookie, fields })
/** By a browser without cookies. */
const sendAlone = ({ server }: Scene, path: string, json: object) => call(server, path, { method: 'POST', json })

const optionsFor = async (scene: Scene, purpose: string) =>
  (await answered(200, send(scene, 'POST', '/api/auth/passkeys/options', { for: purpose }))).body.options

async function register(scene: Scene): Promise<SoftwarePasskey> {
  const key = new SoftwarePasskey(ORIGIN)
  const passkey = key.create(await optionsFor(scene, 'register'))
  await answered(201, send(scene, 'POST', '/api/auth/passkeys', { passkey }))
  return key
}

async function otherSession({ db, ana }: Scene): Promise<string> {
  await createSession(db, ana.id, undefined, 'Chrome en Android')
  const sessions = await listOpenSessions(db, ana.id, ana.token)
  return sessions.find(({ current }) => !current)!.id
}

const newAddress = () => `nueva-${randomUUID().slice(0, 8)}@ejemplo.es`

/** Asks for another address. @returns its code */
async function askForAddress(scene: Scene, email: string): Promise<string> {
  await answered(202, send(scene, 'POST', '/api/account/email', { email }))
  return lastMailTo(scene.server.dataDir, email).code
}

const linkGoogle = ({ db, ana }: Scene) =>
  insert(db, 'oauth_accounts', { provider: 'google', provider_user_id: randomUUID(), user_id: ana.id, created_at: 1 })

async function recoveryCode({ db, ana }: Scene): Promise<string> {
  const [code] = await createRecoveryCodes(db, { id: ana.id, authenticatedAt: Date.now() })
  return code!
}

const signIns: Record<string, AccountAction> = {
  'POST /api/auth/code': leaves(['sign-in'], async (scene) => {
    const { code } = await issueToken(scene.db, scene.ana.email)
    return () => sendAlone(scene, '/api/auth/code', { email: scene.ana.email, code })
  }),
  'POST /api/auth/link': leaves(['sign-in'], async (scene) => {
    const { token } = await issueToken(scene.db, scene.ana.email)
    return () => sendAlone(scene, '/api/auth/link', { token })
  }),
  'POST /api/auth/link · by the operator, on a new device': leaves(['new-device', 'sign-in'], async (scene) => {
    const first = await issueToken(scene.db, scene.ana.email)
    await sendAlone(scene, '/api/auth/link', { token: first.token })
    const { token } = await issueToken(scene.db, scene.ana.email, Date.now() + 1, { issuer: 'operator' })
    return () => sendAlone(scene, '/api/auth/link', { token })
  }),
  'POST /api/auth/recovery': leaves(['recovery-code-used', 'sign-in'], async (scene) => {
    const code = await recoveryCode(scene)
    return () => sendAlone(scene, '/api/auth/recovery', { code })
  }),
  'POST /api/auth/recovery · used before': leaves(['recovery-code-refused'], async (scene) => {
    const code = await recoveryCode(scene)
    await sendAlone(scene, '/api/auth/recovery', { code })
    return () => sendAlone(scene, '/api/auth/recovery', { code })
  }),
  'POST /api/auth/passkeys/sign-in': leaves(['sign-in'], async (scene) => {
    const key = await register(scene)
    const passkey = key.get(await optionsFor(scene, 'sign-in'))
    return () => sendAlone(scene, '/api/auth/passkeys/sign-in', { passkey })
  }),
  'POST /api/auth/sign-out': leaves(['sign-out'], (scene) => () => send(scene, 'POST', '/api/auth/sign-out')),
  'POST /api/auth/confirm': leaves(['identity-confirmed'], async (scene) => {
    const key = await register(scene)
    const passkey = key.get(await optionsFor(scene, 'confirm'))
    return () => send(scene, 'POST', '/api/auth/confirm', { passkey })
  }),
  'POST /api/auth/confirm/code': leaves(['identity-confirmed'], async (scene) => {
    await send(scene, 'POST', '/api/auth/confirm')
    const { code } = lastMailTo(scene.server.dataDir, scene.ana.email)
    return () => send(scene, 'POST', '/api/auth/confirm/code', { code })
  }),
}

const keys: Record<string, AccountAction> = {
  'POST /api/auth/passkeys': leaves(['passkey-added'], async (scene) => {
    const passkey = new SoftwarePasskey(ORIGIN).create(await optionsFor(scene, 'register'))
    return () => send(scene, 'POST', '/api/auth/passkeys', { passkey })
  }),
  'PATCH /api/auth/passkeys/[id]': leaves(['passkey-renamed'], async (scene) => {
    const id = await addPasskeyRow(scene.db, scene.ana.id)
    return () => send(scene, 'PATCH', `/api/auth/passkeys/${id}`, { name: 'Móvil' })
  }),
  'DELETE /api/auth/passkeys/[id]': leaves(['passkey-removed'], async (scene) => {
    const id = await addPasskeyRow(scene.db, scene.ana.id)
    return () => send(scene, 'DELETE', `/api/auth/passkeys/${id}`)
  }),
  'POST /api/auth/passkeys/[id]': leaves(['passkey-removed'], async (scene) => {
    const id = await addPasskeyRow(scene.db, scene.ana.id)
    return () => sendForm(scene, `/api/auth/passkeys/${id}`, { accion: 'quitar' })
  }),
  'POST /api/account/recovery-codes': leaves(
    ['recovery-codes-created'],
    (scene) => () => send(scene, 'POST', '/api/account/recovery-codes'),
  ),
  'POST /perfil/seguridad': leaves(
    ['recovery-codes-created'],
    (scene) => () => sendForm(scene, '/perfil/seguridad', { x: '1' }),
  ),
  'DELETE /api/account/providers/[provider]': leaves(['provider-unlinked'], async (scene) => {
    await linkGoogle(scene)
    return () => send(scene, 'DELETE', '/api/account/providers/google')
  }),
  'POST /api/account/providers/[provider]': leaves(['provider-unlinked'], async (scene) => {
    await linkGoogle(scene)
    return () => sendForm(scene, '/api/account/providers/google', { x: '1' })
  }),
}

const addresses: Record<string, AccountAction> = {
  'POST /api/account/email': leaves(
    ['email-requested'],
    (scene) => () => send(scene, 'POST', '/api/account/email', { email: newAddress() }),
  ),
  'POST /api/account/email/code': leaves(['email-changed'], async (scene) => {
    const code = await askForAddress(scene, newAddress())
    return () => send(scene, 'POST', '/api/account/email/code', { code })
  }),
  'POST /api/account/email/code · the first address': leaves(['email-added'], async (scene) => {
    await scene.db.updateTable('users').set({ email: null }).where('id', '=', scene.ana.id).execute()
    const code = await askForAddress(scene, newAddress())
    return () => send(scene, 'POST', '/api/account/email/code', { code })
  }),
  'POST /api/account/undo': leaves(['email-restored'], async (scene) => {
    const code = await askForAddress(scene, newAddress())
    await send(scene, 'POST', '/api/account/email/code', { code })
    const token = new URL(lastMailTo(scene.server.dataDir, scene.ana.email).link).searchParams.get('token')
    return () => sendAlone(scene, '/api/account/undo', { token })
  }),
}

const sessions: Record<string, AccountAction> = {
  'DELETE /api/account/sessions': leaves(
    ['all-sessions-ended'],
    (scene) => () => send(scene, 'DELETE', '/api/account/sessions'),
  ),
  'POST /api/account/sessions': leaves(
    ['all-sessions-ended'],
    (scene) => () => sendForm(scene, '/api/account/sessions', { x: '1' }),
  ),
  'DELETE /api/account/sessions/[id]': leaves(['session-ended'], async (scene) => {
    const id = await otherSession(scene)
    return () => send(scene, 'DELETE', `/api/account/sessions/${id}`)
  }),
  'POST /api/account/sessions/[id]': leaves(['session-ended'], async (scene) => {
    const id = await otherSession(scene)
    return () => sendForm(scene, `/api/account/sessions/${id}`, { x: '1' })
  }),
  'POST /api/account/sessions/[id]/disown': leaves(['session-disowned'], async (scene) => {
    const id = await otherSession(scene)
    await addAlertRow(scene.db, scene.ana.id, { sessionId: id })
    return () => sendForm(scene, `/api/account/sessions/${id}/disown`, { x: '1' })
  }),
  'POST /api/account/disown': leaves(['session-disowned'], async (scene) => {
    const token = await addAlertRow(scene.db, scene.ana.id, { sessionId: await otherSession(scene) })
    return () => sendAlone(scene, '/api/account/disown', { token })
  }),
}

/** Calls of the access matrix that concern who comes in to an account, and what each leaves in its log. */
export const ACCOUNT_ACTIONS: Record<string, AccountAction> = {
  ...signIns,
  ...keys,
  ...addresses,
  ...sessions,
  'GET /api/account/export': leaves(['export-downloaded'], (scene) => () => send(scene, 'GET', '/api/account/export')),
}

/** A new member with a session. */
export const createAna = (server: TestServer): Promise<TestMember> =>
  signInMember(server, `ana-${randomUUID().slice(0, 8)}@ejemplo.es`)
