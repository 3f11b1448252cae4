import {
  confirmEmailChange,
  findPendingEmail,
  requestEmailChange,
} from '#features/auth/email-change/email-change.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { issueToken, signInByLink } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { ensureUser, mailIdentity } from '#features/auth/users.server.ts'
import { storeBanDigests } from '#features/moderation/ban-digests.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { countRows, readAllRows, rowOf } from '#tests/support/rows.ts'
import { type CurrentUser, member, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, type Db, dbSuite, refusalOf } from '#tests/support/suites.ts'

const DAY = 86_400_000
const NEW = 'nueva@ejemplo.es'
const WRONG = '422 El código no es correcto o ya no vale. Revísalo o pide otro.'

const changes = dbSuite('unit/auth/email-change', {
  ana: member({ email: 'ana@ejemplo.es' }),
  eva: member({ email: 'eva@ejemplo.es' }),
})

async function assertRefused(db: Db, action: () => Promise<unknown>, expected: string, tables: string[] = ['users']) {
  const read = async () => {
    const rows = await readAllRows(db)
    return tables.map((table) => rows[table])
  }
  const before = await read()
  assert.is(await refusalOf(action()), expected)
  assert.equal(await read(), before)
}

const emailOf = async (db: Db, { id }: { id: string }) => (await rowOf(db, 'users', { id })).email

async function requestCode(db: Db, user: CurrentUser, email: string, now = Date.now()): Promise<string> {
  const mail = await requestEmailChange(db, withRecentSignIn(user), email, now)
  if (mail?.kind !== 'code') throw new Error(`no code for ${email}`)
  return mail.code
}

async function change(db: Db, user: CurrentUser, email: string, now = Date.now()) {
  const code = await requestCode(db, { ...user, email: await emailOf(db, user) }, email, now)
  await confirmEmailChange(db, { id: user.id, authenticatedAt: now }, code, now)
}

changes('a new address is the account’s once its code is typed', async ({ db, ana }) => {
  const code = await requestCode(db, ana, NEW)
  assert.is(await emailOf(db, ana), 'ana@ejemplo.es')
  assert.is(await findPendingEmail(db, ana.id), NEW)
  assert.is(await confirmEmailChange(db, withRecentSignIn(ana), code), NEW)
  assert.is(await emailOf(db, ana), NEW)
  assert.is(await findPendingEmail(db, ana.id), null)
})

changes('an account without address gets one', async ({ db, ana }) => {
  await db.updateTable('users').set({ email: null }).where('id', '=', ana.id).execute()
  await change(db, { ...ana, email: null }, NEW)
  assert.is(await emailOf(db, ana), NEW)
})

changes('a code confirms once, and a wrong one confirms nothing', async ({ db, ana }) => {
  const code = await requestCode(db, ana, NEW)
  const confirm = (typed: string) => () => confirmEmailChange(db, withRecentSignIn(ana), typed)
  await assertRefused(db, confirm(code === '000000' ? '000001' : '000000'), WRONG)
  await confirm(code)()
  const none = '409 No hay ninguna dirección por confirmar. Escribe primero tu nuevo email.'
  await assertRefused(db, confirm(code), none)
})

changes('another member’s code, and one that signs in, confirm nothing', async ({ db, ana, eva }) => {
  const evas = await requestCode(db, eva, 'otra@ejemplo.es')
  await requestCode(db, ana, NEW)
  const { code: entering } = await issueToken(db, NEW)
  for (const code of [evas, entering])
    await assertRefused(db, () => confirmEmailChange(db, withRecentSignIn(ana), code), WRONG)
})

changes('two tabs: the last address that was asked for counts', async ({ db, ana }) => {
  const first = await requestCode(db, ana, 'una@ejemplo.es')
  const second = await requestCode(db, ana, NEW)
  await assertRefused(db, () => confirmEmailChange(db, withRecentSignIn(ana), first), WRONG)
  await confirmEmailChange(db, withRecentSignIn(ana), second)
  assert.is(await emailOf(db, ana), NEW)
})

changes('its own address, and one of an account, are not taken', async ({ db, ana, eva }) => {
  const ask = (email: string) => requestEmailChange(db, withRecentSignIn(ana), email)
  await assertRefused(db, () => ask('ana@ejemplo.es'), '422 Ese ya es tu email.')
  assert.equal(await ask('eva@ejemplo.es'), { kind: 'taken' })
  assert.is(await emailOf(db, eva), 'eva@ejemplo.es')
  const code = await requestCode(db, ana, NEW)
  await ensureUser(db, NEW)
  const taken = '409 Esta dirección ya es de otra cuenta. Usa otra.'
  await assertRefused(db, () => confirmEmailChange(db, withRecentSignIn(ana), code), taken)
})

changes(
  'asking and confirming require recent authentication, and banned members change no address',
  async ({ db, ana }) => {
    const code = await requestCode(db, ana, NEW)
    const stale = { ...ana, authenticatedAt: Date.now() - 16 * 60_000 }
    const text = '403 Para tu seguridad, confirma con un código que te enviamos por correo.'
    await assertRefused(db, () => requestEmailChange(db, stale, 'otra@ejemplo.es'), text)
    await assertRefused(db, () => confirmEmailChange(db, stale, code), text)
    await ban(db, ana.id, { until: null, reason: 'Insultos.' })
    assert.match(await refusalOf(requestEmailChange(db, withRecentSignIn(ana), 'otra@ejemplo.es')), /^403 /)
    assert.match(await refusalOf(confirmEmailChange(db, withRecentSignIn(ana), code)), /^403 /)
    assert.is(await emailOf(db, ana), 'ana@ejemplo.es')
  },
)

changes(
  'the address of a banned member who has left is refused to who has proved to read its mailbox',
  async ({ db, ana, eva }) => {
    await ban(db, eva.id, { until: null, reason: 'Insultos.' })
    const left = 'se-fue@ejemplo.es'
    await storeBanDigests(db, eva.id, [mailIdentity(left)])
    const code = await requestCode(db, ana, left)
    assert.match(await refusalOf(confirmEmailChange(db, withRecentSignIn(ana), code)), /^403 /)
    assert.is(await emailOf(db, ana), 'ana@ejemplo.es')
  },
)

changes('links that wait in the old mailbox sign nobody in', async ({ db, ana }) => {
  const { token } = await issueToken(db, 'ana@ejemplo.es')
  await change(db, ana, NEW)
  assert.is(await signInByLink(db, token), null)
})

changes('the old address stays reserved for its account while the change may be undone', async ({ db, ana, eva }) => {
  await change(db, ana, NEW)
  const reserved =
    '409 Esta dirección era de otra cuenta hace menos de 7 días. Abre el enlace del mensaje que recibió para recuperarla, o espera a que pasen.'
  await assertRefused(db, () => ensureUser(db, 'ana@ejemplo.es'), reserved)
  assert.equal(await requestEmailChange(db, withRecentSignIn(eva), 'ana@ejemplo.es'), { kind: 'reserved' })
  // Even with the right code, which was not mailed.
  await db.deleteFrom('sign_in_tokens').execute()
  const { code } = await issueToken(db, 'ana@ejemplo.es', Date.now(), { purpose: 'address' })
  await assertRefused(db, () => confirmEmailChange(db, withRecentSignIn(eva), code), reserved)
  await change(db, { ...ana, email: NEW }, 'ana@ejemplo.es')
  assert.is(await emailOf(db, ana), 'ana@ejemplo.es', 'its own account takes it back')
})

changes('after seven days the old address is free', async ({ db, ana }) => {
  await change(db, ana, NEW, Date.now() - 7 * DAY - 1)
  assert.is.not((await ensureUser(db, 'ana@ejemplo.es')).id, ana.id)
})

changes('requests go after a day, and changes once nobody can undo them', async ({ db, ana, eva }) => {
  const now = Date.now()
  await requestCode(db, eva, 'otra@ejemplo.es', now)
  await change(db, ana, NEW, now)
  const leftAfter = async (time: number) => {
    await deleteExpiredRows(db, now + time, ['email_changes'])
    return countRows(db, 'email_changes')
  }
  assert.is(await leftAfter(DAY - 1), 2)
  assert.is(await leftAfter(DAY + 1), 1)
  assert.is(await leftAfter(7 * DAY + 1), 0)
})
