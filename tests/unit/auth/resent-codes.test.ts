import fs, { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { signInByCode } from '#features/auth/sign-in/sign-in-codes.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { deriveSecrets, loadSignInKey } from '#features/auth/sign-in/sign-in-secrets.server.ts'
import {
  inspectLink,
  issueToken,
  findMailLimit,
  issueTokenWithinLimits,
  signInByLink,
  type TokenRequest,
} from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { loadSecretKey } from '#features/storage/secret-file.server.ts'
import { assert, dataSuite, type Db } from '#tests/support/suites.ts'

const NOW = 1_790_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const EMAIL = 'ana@ejemplo.es'
const noWarning = (text: string) => assert.unreachable(text)

const codes = dataSuite('unit/auth/resent-codes')

const wrongCodeFor = (code: string) => (code === '000000' ? '000001' : '000000')
const ask = async (db: Db, now: number, request: TokenRequest = {}, email = EMAIL) => {
  const secrets = await issueTokenWithinLimits(db, email, request, now)
  assert.ok(secrets)
  return secrets
}

codes('a living code and its link are sent again, with the end they had', async ({ db }) => {
  const first = await ask(db, NOW)
  assert.is(first.expiresAt, NOW + 15 * MINUTE)
  for (const minute of [0, 6, 13]) assert.equal(await ask(db, NOW + minute * MINUTE), first, `minute ${minute}`)
  assert.equal(await inspectLink(db, first.token, NOW + 15 * MINUTE), { state: 'expired' })
  assert.is(await signInByCode(db, EMAIL, first.code, NOW + 15 * MINUTE), null)
  assert.ok(await signInByCode(db, EMAIL, first.code, NOW + 15 * MINUTE - 1))
})

codes('what ends within two minutes is not sent again, and lives to its end beside the new one', async ({ db }) => {
  const first = await ask(db, NOW)
  const second = await ask(db, NOW + 14 * MINUTE)
  assert.is.not(second.token, first.token)
  assert.is(second.expiresAt, NOW + 29 * MINUTE)
  assert.ok(await signInByCode(db, EMAIL, first.code, NOW + 15 * MINUTE - 1))
  assert.equal(await inspectLink(db, second.token, NOW + 15 * MINUTE), { state: 'open', email: EMAIL })
})

codes('a used code, or one that is worn out by wrong tries, is not sent again', async ({ db }) => {
  const first = await ask(db, NOW)
  assert.ok(await signInByLink(db, first.token, NOW))
  const second = await ask(db, NOW + 1)
  assert.is.not(second.token, first.token)
  for (let i = 0; i < 4; i++) await signInByCode(db, EMAIL, wrongCodeFor(second.code), NOW + 1)
  assert.equal(await ask(db, NOW + 2), second)
  await signInByCode(db, EMAIL, wrongCodeFor(second.code), NOW + 2)
  const third = await ask(db, NOW + 3)
  assert.is.not(third.token, second.token)
  assert.ok(await signInByCode(db, EMAIL, third.code, NOW + 3))
})

codes('a code that is sent again has the tries it had', async ({ db }) => {
  const { code } = await ask(db, NOW)
  for (let i = 0; i < 3; i++) await signInByCode(db, EMAIL, wrongCodeFor(code), NOW)
  await ask(db, NOW + 1)
  for (let i = 0; i < 2; i++) await signInByCode(db, EMAIL, wrongCodeFor(code), NOW + 1)
  assert.is(await signInByCode(db, EMAIL, code, NOW + 1), null)
})

codes('simultaneous requests give one code, and one row counts their mails', async ({ db }) => {
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(db, NOW)))
  assert.is(new Set(all.map(({ code, token }) => `${code} ${token}`)).size, 1)
  assert.equal(await db.selectFrom('sign_in_tokens').select(['mails', 'mailed_at']).execute(), [
    { mails: 5, mailed_at: NOW },
  ])
})

codes('another address of the mailbox, another purpose and another device have codes of their own', async ({ db }) => {
  const all = [
    await ask(db, NOW),
    await ask(db, NOW, {}, 'ana+1@ejemplo.es'),
    await ask(db, NOW, { purpose: 'address' }),
    await ask(db, NOW, { device: 'uno' }),
    await ask(db, NOW, { device: 'otro' }),
  ]
  assert.is(new Set(all.map(({ token }) => token)).size, all.length)
})

codes('what strangers wear out on unknown devices is sent again to a known one', async ({ db }) => {
  const known = await ask(db, NOW, { device: 'uno' })
  for (let i = 0; i < 5; i++) await signInByCode(db, EMAIL, wrongCodeFor(known.code), NOW)
  assert.equal(await ask(db, NOW + 1, { device: 'uno' }), known)
})

codes('mails of one code count: by the hour, from the last of them', async ({ db }) => {
  for (const minute of [0, 3, 6, 9, 12]) await ask(db, NOW + minute * MINUTE)
  assert.is(await issueTokenWithinLimits(db, EMAIL, {}, NOW + 12 * MINUTE), null)
  assert.is(await issueTokenWithinLimits(db, EMAIL, {}, NOW + HOUR + 11 * MINUTE), null)
  await ask(db, NOW + HOUR + 12 * MINUTE + 1)
})

codes(
  'of a mail that is not sent is known until when the last one is good, and when the next goes out',
  async ({ db }) => {
    for (const minute of [0, 3, 6, 9, 12]) await ask(db, NOW + minute * MINUTE)
    const nextAt = NOW + HOUR + 12 * MINUTE
    assert.equal(await findMailLimit(db, EMAIL, null, NOW + 12 * MINUTE), { until: NOW + 15 * MINUTE, nextAt })
    assert.equal(await findMailLimit(db, EMAIL, null, NOW + 15 * MINUTE), { until: null, nextAt })
    await ensureUser(db, 'bea@ejemplo.es', NOW)
    for (let i = 0; i < 5; i++) await issueTokenWithinLimits(db, 'bea@ejemplo.es', {}, NOW)
    const known = await findMailLimit(db, 'bea@ejemplo.es', null, NOW)
    assert.equal(known, { until: NOW + 15 * MINUTE, nextAt: NOW + HOUR }, 'a known address is answered alike')
  },
)

codes('the day’s mails count however many codes they held', async ({ db }) => {
  const at = (hour: number, minute: number) => NOW + hour * (HOUR + 20 * MINUTE) + minute * MINUTE
  for (const hour of [0, 1, 2]) for (let i = 0; i < 5; i++) await ask(db, at(hour, i * 3))
  assert.is(await issueTokenWithinLimits(db, EMAIL, {}, at(3, 0)), null)
  assert.is(await issueTokenWithinLimits(db, EMAIL, {}, at(3, 0) + 19 * HOUR), null)
  await ask(db, NOW + 24 * HOUR + 13 * MINUTE)
})

codes('rows of nodes of an earlier version count one mail each, and are not sent again', async ({ db }) => {
  for (let i = 0; i < 4; i++) {
    const { mails: _, ...row } = await olderRow(db, i)
    await db.insertInto('sign_in_tokens').values(row).execute()
  }
  await ask(db, NOW + 5)
  assert.is(await issueTokenWithinLimits(db, EMAIL, {}, NOW + 6), null)
})

/** A row whose secrets no key gives. */
async function olderRow(db: Db, number: number) {
  await issueToken(db, EMAIL, NOW)
  const row = await db.selectFrom('sign_in_tokens').selectAll().where('mails', '=', 0).executeTakeFirstOrThrow()
  await db.deleteFrom('sign_in_tokens').where('id', '=', row.id).execute()
  return { ...row, id: `viejo-${number}`, token_hash: `hash-${number}`, mailed_at: null }
}

codes(
  'the key is a file of the site alone, the same for each start, and without it rows give nothing',
  async ({ db, dir }) => {
    loadSignInKey(dir, noWarning)
    const file = join(dir, 'sign-in.key')
    assert.equal([readdirSync(dir), statSync(file).mode & 0o777], [['sign-in.key'], 0o600])
    const first = await ask(db, NOW)
    loadSignInKey(mkdtempSync(join(dir, 'otro-')), noWarning)
    const stored = await db.selectFrom('sign_in_tokens').selectAll().execute()
    const foreign = deriveSecrets(stored[0]!.id, EMAIL)
    assert.not.equal([foreign.token, foreign.code], [first.token, first.code])
    const second = await ask(db, NOW + 1)
    assert.is.not(second.token, first.token, 'a node with another key sends a code of its own')
    assert.ok(await signInByLink(db, first.token, NOW + 1), 'and takes what others sent')
    chmodSync(file, 0o644)
    loadSignInKey(dir, noWarning)
    assert.is(statSync(file).mode & 0o777, 0o600)
    assert.equal(deriveSecrets(stored[0]!.id, EMAIL), { token: first.token, code: first.code })
  },
)

codes('of two nodes with other keys each sends its own code again', async ({ db, dir }) => {
  const dirs = [mkdtempSync(join(dir, 'a-')), mkdtempSync(join(dir, 'b-'))]
  const askAt = async (node: number, now: number) => {
    loadSignInKey(dirs[node]!, noWarning)
    return ask(db, now)
  }
  const first = await askAt(0, NOW)
  const second = await askAt(1, NOW + 1)
  assert.equal([await askAt(0, NOW + 2), await askAt(1, NOW + 3)], [first, second])
})

codes('a file without a key is reported and left, and codes are made without it', async ({ db, dir }) => {
  const file = join(dir, 'sign-in.key')
  writeFileSync(file, 'rota')
  const said: string[] = []
  loadSignInKey(dir, (text) => said.push(text))
  assert.equal(said, ['sign-in.key no se usa: no guarda una clave'])
  assert.is(readFileSync(file, 'utf8'), 'rota')
  assert.equal(await ask(db, NOW), await ask(db, NOW + 1))
})

codes('the reason why the file is not used is in Spanish, and nothing is left behind', ({ dir }) => {
  const said: string[] = []
  const folder = mkdtempSync(join(dir, 'llena-'))
  const { writeFileSync: write } = fs
  fs.writeFileSync = (file: fs.PathOrFileDescriptor) => {
    write(file, '')
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
  try {
    loadSignInKey(folder, (text) => said.push(text))
    loadSecretKey(folder, 'riddle.key', (text) => said.push(text))
  } finally {
    fs.writeFileSync = write
    syncBuiltinESMExports()
  }
  const reason = 'no se usa: no queda sitio en el disco (ENOSPC)'
  assert.equal(said, [`sign-in.key ${reason}`, `riddle.key ${reason}`])
  assert.equal(readdirSync(folder), [])
})

codes('link and code of a row depend on its id and its address, and on nothing else', () => {
  const secrets = deriveSecrets('id', EMAIL)
  assert.equal(deriveSecrets('id', EMAIL), secrets)
  for (const other of [deriveSecrets('id2', EMAIL), deriveSecrets('id', 'bea@ejemplo.es')]) {
    assert.is.not(other.token, secrets.token)
  }
  assert.match(secrets.token, /^[\w-]{43}$/)
  const seen = Array.from({ length: 2000 }, (_, i) => deriveSecrets(String(i), EMAIL).code)
  assert.ok(seen.every((code) => /^\d{6}$/.test(code)))
  assert.ok(new Set(seen).size > 1990)
  for (let digit = 0; digit < 10; digit++)
    assert.ok(seen.filter((code) => code.startsWith(String(digit))).length > 120, `first digit ${digit}`)
})
