import {
  formatRecoveryCode,
  normalizeRecoveryCode,
  recoveryCodeInput,
} from '#features/auth/recovery-codes/recovery-codes.ts'
import {
  countRecoveryCodes,
  createRecoveryCodes,
  signInByRecoveryCode,
} from '#features/auth/recovery-codes/recovery-codes.server.ts'
import { countStrandedMembers, needsSecondWay, readSignInWays } from '#features/auth/ways/ways.server.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { insert, readAllRows } from '#tests/support/rows.ts'
import { member, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, dbSuite, refusalOf } from '#tests/support/suites.ts'

const codes = dbSuite('unit/auth/recovery-codes', { ana: member(), eva: member() })

codes('a member gets ten codes, of which the database stores no letter', async ({ db, ana }) => {
  const made = await createRecoveryCodes(db, withRecentSignIn(ana))
  assert.is(new Set(made).size, 10)
  for (const code of made) assert.match(code, /^[0-9a-hjkmnp-tv-z]{16}$/)
  const rows = JSON.stringify(await readAllRows(db))
  for (const code of made) assert.not.match(rows, code)
  const { left } = (await countRecoveryCodes(db, ana.id))!
  assert.is(left, 10)
})

codes('each code opens its own account once', async ({ db, ana, eva }) => {
  const [first, second] = await createRecoveryCodes(db, withRecentSignIn(ana))
  const [evas] = await createRecoveryCodes(db, withRecentSignIn(eva))
  assert.equal(await signInByRecoveryCode(db, first!), { id: ana.id, email: ana.email })
  assert.is((await signInByRecoveryCode(db, evas!)).id, eva.id)
  const { security_log: _, ...before } = await readAllRows(db)
  const used = '422 Este código ya se ha usado. Usa otro de tu lista.'
  assert.is(await refusalOf(signInByRecoveryCode(db, first!)), used)
  assert.is(
    await refusalOf(signInByRecoveryCode(db, '0'.repeat(16))),
    '422 El código no es correcto. Revísalo o usa otro.',
  )
  // The try with a used code is in its member's security log; nothing else is written.
  const { security_log: log, ...after } = await readAllRows(db)
  assert.equal(after, before)
  assert.is(log!.filter(({ event }) => event === 'recovery-code-refused').length, 1)
  assert.is((await countRecoveryCodes(db, ana.id))!.left, 9)
  assert.is((await signInByRecoveryCode(db, second!)).id, ana.id)
})

codes('of two who use a code at once one comes in', async ({ db, ana }) => {
  const [code] = await createRecoveryCodes(db, withRecentSignIn(ana))
  const results = await Promise.all([1, 2].map(() => refusalOf(signInByRecoveryCode(db, code!))))
  assert.equal(results.toSorted(), ['422 Este código ya se ha usado. Usa otro de tu lista.', 'accepted'])
})

codes('new codes end the earlier ones', async ({ db, ana }) => {
  const [old] = await createRecoveryCodes(db, withRecentSignIn(ana))
  await createRecoveryCodes(db, withRecentSignIn(ana))
  assert.is(await refusalOf(signInByRecoveryCode(db, old!)), '422 El código no es correcto. Revísalo o usa otro.')
})

codes('making them requires recent authentication', async ({ db, ana }) => {
  const stale = { ...ana, authenticatedAt: Date.now() - 16 * 60_000 }
  const text = '403 Para tu seguridad, confirma con un código que te enviamos por correo.'
  assert.is(await refusalOf(createRecoveryCodes(db, stale)), text)
  assert.is(await countRecoveryCodes(db, ana.id), null)
})

codes('a code is read as people copy it', () => {
  assert.is(formatRecoveryCode('0123456789abcdef'), '0123-4567-89ab-cdef')
  assert.is(normalizeRecoveryCode(' OI23-4567 89AB–cdeL '), '0123456789abcde1')
  for (const code of ['OI23-4567-89AB-CDEL.', 'o123 4567 89ab cdel', 'Mi código: oI23–4567–89ab–cdeL (3 de 10)'])
    assert.is(recoveryCodeInput.safeParse({ code }).data?.code, '0123456789abcde1', code)
})

codes('who has neither an address nor codes needs a second way', async ({ db, ana }) => {
  const isTold = async () =>
    needsSecondWay(await readSignInWays(db, ana.id, { providers: ['github'], rpId: 'localhost' }))
  assert.not.ok(await isTold())
  await db.updateTable('users').set({ email: null }).where('id', '=', ana.id).execute()
  await addPasskeyRow(db, ana.id)
  assert.ok(await isTold())
  await addPasskeyRow(db, ana.id, { rp_id: 'otro.example' })
  assert.ok(await isTold(), 'a passkey of another site is none')
  const [code] = await createRecoveryCodes(db, withRecentSignIn(ana))
  assert.not.ok(await isTold())
  await signInByRecoveryCode(db, code!)
  assert.not.ok(await isTold())
  await db.updateTable('secrets').set({ used_at: 1 }).execute()
  assert.ok(await isTold(), 'all codes are used')
  await insert(db, 'oauth_accounts', { provider: 'github', provider_user_id: '7', user_id: ana.id, created_at: 1 })
  assert.not.ok(await isTold())
})

codes('accounts are counted whose passkeys are all of another host', async ({ db, ana, eva }) => {
  await addPasskeyRow(db, ana.id, { rp_id: 'antes.example' })
  await addPasskeyRow(db, eva.id, { rp_id: 'antes.example' })
  assert.is(await countStrandedMembers(db, 'ahora.example'), 0, 'they have an address')
  await db.updateTable('users').set({ email: null }).execute()
  assert.is(await countStrandedMembers(db, 'ahora.example'), 2)
  assert.is(await countStrandedMembers(db, 'antes.example'), 0)
  assert.is(await countStrandedMembers(db, null), 2)
  await addPasskeyRow(db, eva.id, { rp_id: 'ahora.example' })
  assert.is(await countStrandedMembers(db, 'ahora.example'), 1)
})
