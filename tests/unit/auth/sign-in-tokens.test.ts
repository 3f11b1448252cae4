import { AppError } from '#lib/errors.ts'
import { signInByCode } from '#features/auth/sign-in/sign-in-codes.server.ts'
import { issueToken, inspectLink, signInByLink } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { assert, dbSuite } from '#tests/support/suites.ts'

const EMAIL = 'ana@ejemplo.es'
const NOW = 1_790_000_000_000
const MINUTE = 60_000
const tokens = dbSuite('unit/auth/sign-in-tokens')

const wrongCodeFor = (code: string) => (code === '000000' ? '000001' : '000000')
const statusOf = async (work: Promise<unknown>): Promise<number | undefined> => {
  try {
    await work
    return undefined
  } catch (error) {
    return (error as { status?: number }).status
  }
}

tokens('a token has 256 bits, a code six digits, and both are stored as hashes', async ({ db }) => {
  const { token, code } = await issueToken(db, EMAIL, NOW)
  assert.is(Buffer.from(token, 'base64url').length, 32)
  assert.match(code, /^\d{6}$/)
  const stored = JSON.stringify(await db.selectFrom('sign_in_tokens').selectAll().execute())
  assert.not.ok(stored.includes(token))
  assert.not.ok(stored.includes(`"${code}"`))
})

tokens('two addresses with one code have different hashes', async ({ db }) => {
  // The salt is the address: all codes of one address hash alike, those of another do not.
  const rows = async () => db.selectFrom('sign_in_tokens').select(['email', 'code_hash']).execute()
  const { code } = await issueToken(db, EMAIL, NOW)
  const [row] = await rows()
  const { id: _, ...copy } = await db.selectFrom('sign_in_tokens').selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('sign_in_tokens')
    .values({ ...copy, id: 'other', token_hash: 'other', email: 'bea@ejemplo.es', code_hash: row!.code_hash })
    .execute()
  assert.is(await signInByCode(db, 'bea@ejemplo.es', code, NOW), null)
})

tokens('the link signs in once and creates the account', async ({ db }) => {
  const { token } = await issueToken(db, EMAIL, NOW)
  assert.equal(await inspectLink(db, token, NOW), { state: 'open', email: EMAIL })
  const account = await signInByLink(db, token, NOW)
  assert.is(account?.email, EMAIL)
  assert.is(await signInByLink(db, token, NOW), null)
  assert.equal(await inspectLink(db, token, NOW), { state: 'used' })
})

tokens('opening a link does not use it up, however often', async ({ db }) => {
  const { token } = await issueToken(db, EMAIL, NOW)
  for (let i = 0; i < 5; i++) await inspectLink(db, token, NOW)
  assert.ok(await signInByLink(db, token, NOW))
})

tokens('link and code are used up together', async ({ db }) => {
  const first = await issueToken(db, EMAIL, NOW)
  await signInByLink(db, first.token, NOW)
  assert.is(await signInByCode(db, EMAIL, first.code, NOW), null)
  const second = await issueToken(db, EMAIL, NOW + 1)
  assert.ok(await signInByCode(db, EMAIL, second.code, NOW + 1))
  assert.is(await signInByLink(db, second.token, NOW + 1), null)
})

tokens('both are valid until the fifteenth minute', async ({ db }) => {
  const first = await issueToken(db, EMAIL, NOW)
  const end = NOW + 15 * MINUTE
  assert.equal(await inspectLink(db, first.token, end), { state: 'expired' })
  assert.is(await signInByLink(db, first.token, end), null)
  assert.is(await signInByCode(db, EMAIL, first.code, end), null)
  assert.ok(await signInByCode(db, EMAIL, first.code, end - 1))
})

tokens('using a newer token invalidates the older ones of that address, and only those', async ({ db }) => {
  const older = await issueToken(db, EMAIL, NOW)
  const others = await issueToken(db, 'bea@ejemplo.es', NOW)
  const newer = await issueToken(db, EMAIL, NOW + 1)
  const newest = await issueToken(db, EMAIL, NOW + 2)
  assert.ok(await signInByLink(db, newer.token, NOW + 3))
  assert.equal(await inspectLink(db, older.token, NOW + 3), { state: 'used' })
  assert.is(await signInByLink(db, older.token, NOW + 3), null)
  assert.ok(await signInByLink(db, others.token, NOW + 3))
  assert.ok(await signInByLink(db, newest.token, NOW + 3))
})

tokens('another request does not invalidate a mail that is still on its way', async ({ db }) => {
  const older = await issueToken(db, EMAIL, NOW)
  await issueToken(db, EMAIL, NOW + 1)
  assert.ok(await signInByCode(db, EMAIL, older.code, NOW + 2))
})

tokens('the fifth attempt may be right, the sixth is refused even with the right code', async ({ db }) => {
  const { code } = await issueToken(db, EMAIL, NOW)
  for (let i = 0; i < 4; i++) assert.is(await signInByCode(db, EMAIL, wrongCodeFor(code), NOW), null)
  assert.ok(await signInByCode(db, EMAIL, code, NOW))

  const second = await issueToken(db, EMAIL, NOW + 1)
  for (let i = 0; i < 5; i++) assert.is(await signInByCode(db, EMAIL, wrongCodeFor(second.code), NOW + 1), null)
  assert.is(await signInByCode(db, EMAIL, second.code, NOW + 1), null)
  assert.ok(await signInByLink(db, second.token, NOW + 1), 'the link is not guessable and lives on')
})

tokens('simultaneous attempts each count', async ({ db }) => {
  const { code } = await issueToken(db, EMAIL, NOW)
  const guesses = Array.from({ length: 12 }, (_, i) => (i < 11 ? wrongCodeFor(code) : code))
  const results = await Promise.all(guesses.map((guess) => signInByCode(db, EMAIL, guess, NOW)))
  assert.is(results.filter(Boolean).length, 0, 'the right code came after five wrong ones')
  const { tries } = await db.selectFrom('sign_in_tokens').select('tries').executeTakeFirstOrThrow()
  assert.is(tries, 5)
})

tokens('new mails give no unlimited attempts: 30 wrong ones stop an address’s codes for the hour', async ({ db }) => {
  for (let mail = 0; mail < 6; mail++) {
    const { code } = await issueToken(db, EMAIL, NOW + mail)
    for (let i = 0; i < 5; i++) await signInByCode(db, EMAIL, wrongCodeFor(code), NOW + mail)
  }
  const { code, token } = await issueToken(db, EMAIL, NOW + 10)
  assert.is(await statusOf(signInByCode(db, EMAIL, code, NOW + 10)), 429)
  assert.ok(await signInByLink(db, token, NOW + 10), 'its owner still gets in by the link')
  const other = await issueToken(db, 'bea@ejemplo.es', NOW + 10)
  assert.ok(await signInByCode(db, 'bea@ejemplo.es', other.code, NOW + 10))
  const later = NOW + 61 * MINUTE
  const fresh = await issueToken(db, EMAIL, later)
  assert.ok(await signInByCode(db, EMAIL, fresh.code, later))
})

tokens('a token sent twice simultaneously signs in once', async ({ db }) => {
  const { token, code } = await issueToken(db, EMAIL, NOW)
  const results = await Promise.all([
    signInByLink(db, token, NOW),
    signInByCode(db, EMAIL, code, NOW),
    signInByLink(db, token, NOW),
  ])
  assert.is(results.filter(Boolean).length, 1)
})

tokens('two simultaneous first sign-ins create one account', async ({ db }) => {
  const [a, b] = [await issueToken(db, EMAIL, NOW), await issueToken(db, EMAIL, NOW + 1)]
  const accounts = await Promise.all([signInByLink(db, a.token, NOW + 2), signInByLink(db, b.token, NOW + 2)])
  assert.is(new Set(accounts.map((x) => x?.id)).size, 1)
  assert.is((await db.selectFrom('users').select('id').execute()).length, 1)
})

tokens('a code is not valid for another address or for one without a request', async ({ db }) => {
  const { code } = await issueToken(db, EMAIL, NOW)
  assert.is(await signInByCode(db, 'bea@ejemplo.es', code, NOW), null)
})

tokens('unknown links are unknown, and a day after their end expired tokens are deleted', async ({ db }) => {
  assert.equal(await inspectLink(db, 'x'.repeat(43), NOW), { state: 'unknown' })
  const { token } = await issueToken(db, EMAIL, NOW)
  await issueToken(db, 'bea@ejemplo.es', NOW + 25 * 60 * MINUTE)
  assert.equal(await inspectLink(db, token, NOW + 25 * 60 * MINUTE), { state: 'unknown' })
})

tokens(
  'where no account may be created, link and code stay valid, and members sign in all the same',
  async ({ db }) => {
    const full = async () => {
      throw new AppError(429, 'Hoy no.')
    }
    const { token, code } = await issueToken(db, EMAIL, NOW)
    assert.is(await statusOf(signInByLink(db, token, NOW, full)), 429)
    assert.is(await statusOf(signInByCode(db, EMAIL, code, NOW, full)), 429)
    assert.equal(await db.selectFrom('users').select('id').execute(), [])
    assert.equal(await inspectLink(db, token, NOW), { state: 'open', email: EMAIL })
    const account = await signInByCode(db, EMAIL, code, NOW)
    const again = await issueToken(db, EMAIL, NOW + 1)
    assert.equal(await signInByLink(db, again.token, NOW + 1, full), account)
  },
)
