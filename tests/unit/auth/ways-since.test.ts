import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import {
  confirmEmailChange,
  requestEmailChange,
  undoEmailChange,
} from '#features/auth/email-change/email-change.server.ts'
import { disownSession } from '#features/auth/new-device/disown.server.ts'
import { linkProvider } from '#features/auth/oauth/linked-accounts.server.ts'
import { createRecoveryCodes } from '#features/auth/recovery-codes/recovery-codes.server.ts'
import { beginSession } from '#features/auth/sessions/begin-session.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { freshDb } from '#tests/support/db.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { member, seed, withRecentSignIn } from '#tests/support/seed.ts'

// A stranger in somebody's session may have made themselves ways in: none may outlive what the member does against it.

const HOUR = 3_600_000

const ways = suite<{ db: Db; ana: CurrentUser }>('unit/auth/ways-since')
ways.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana] = await seed(t.db, member({ alias: 'Ana', email: 'ana@ejemplo.es' }))
})

/** Every way in that an account has rows of. */
async function addWays(db: Db, { id }: CurrentUser, name: string, now: number) {
  await addPasskeyRow(db, id)
  await db.updateTable('passkeys').set({ created_at: now, name }).where('name', '=', 'Llave 1').execute()
  await linkProvider(db, name === 'own' ? 'google' : 'github', name, id, now)
}

const keptWays = async (db: Db) => {
  const { passkeys, oauth_accounts, recovery_codes } = await readAllRows(db)
  return [passkeys!.map(({ name }) => name), oauth_accounts!.map((row) => row.provider_user_id), recovery_codes!.length]
}

async function changeAddress(db: Db, ana: CurrentUser, email: string) {
  const user = await db.selectFrom('users').select('email').where('id', '=', ana.id).executeTakeFirstOrThrow()
  const mail = await requestEmailChange(db, withRecentSignIn({ ...ana, ...user }), email)
  if (mail?.kind !== 'code') throw new Error(`no code for ${email}`)
  return confirmEmailChange(db, withRecentSignIn(ana), mail.code)
}

/** A sign-in of the member's, then one on a device that is new. @returns what ends the second */
async function enterTwice(db: Db, ana: CurrentUser) {
  const account = { id: ana.id, email: ana.email }
  const enter = (secret: string) => beginSession(db, account, { secret, name: secret }, { method: 'link' })
  await enter('portátil')
  await enter('ajeno')
  const { session_id } = await db.selectFrom('sign_in_alerts').select('session_id').executeTakeFirstOrThrow()
  return () => disownSession(db, withRecentSignIn(ana), session_id, '')
}

ways('undoing a change of address takes back every way in that was made since', async ({ db, ana }) => {
  await addWays(db, ana, 'own', Date.now() - HOUR)
  const { undoToken } = await changeAddress(db, ana, 'ladron@ejemplo.es')
  await addWays(db, ana, 'thief', Date.now())
  await createRecoveryCodes(db, withRecentSignIn(ana))
  await undoEmailChange(db, undoToken!)
  assert.equal(await keptWays(db), [['own'], ['own'], 0])
})

ways('«No he sido yo» takes back every way in that was made since', async ({ db, ana }) => {
  await addWays(db, ana, 'own', Date.now() - HOUR)
  const disown = await enterTwice(db, ana)
  await addWays(db, ana, 'thief', Date.now())
  await createRecoveryCodes(db, withRecentSignIn(ana))
  await disown()
  assert.equal(await keptWays(db), [['own'], ['own'], 0])
})

ways('«No he sido yo» takes back an address that was added since, and those it was changed to', async ({ db, ana }) => {
  await addWays(db, ana, 'own', Date.now() - HOUR)
  await db.updateTable('users').set({ email: null }).where('id', '=', ana.id).execute()
  const disown = await enterTwice(db, { ...ana, email: null })
  await changeAddress(db, ana, 'ladron@ejemplo.es')
  await changeAddress(db, ana, 'otro@ejemplo.es')
  await disown()
  const { users, email_changes } = await readAllRows(db)
  assert.equal([users![0]!.email, email_changes], [null, []])
})

ways('«No he sido yo» locks nobody out: an added address stays where no other way in is left', async ({ db, ana }) => {
  await db.updateTable('users').set({ email: null }).where('id', '=', ana.id).execute()
  const disown = await enterTwice(db, { ...ana, email: null })
  await addWays(db, ana, 'new', Date.now())
  await changeAddress(db, ana, 'ana@ejemplo.es')
  await disown()
  const { users } = await readAllRows(db)
  assert.equal([await keptWays(db), users![0]!.email], [[[], [], 0], 'ana@ejemplo.es'])
})

ways('«No he sido yo» leaves an address that replaced another to the holder of the other', async ({ db, ana }) => {
  const disown = await enterTwice(db, ana)
  const { undoToken } = await changeAddress(db, ana, 'ladron@ejemplo.es')
  await disown()
  await undoEmailChange(db, undoToken!)
  const { users } = await readAllRows(db)
  assert.is(users![0]!.email, 'ana@ejemplo.es')
})

ways.run()
