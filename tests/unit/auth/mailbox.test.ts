import { sqliteOf } from '#db/client.ts'
import { countStatements } from '#db/statement-count.ts'
import { MAX_CODE_TRIES, KNOWN_DEVICE_DAYS } from '#features/auth/auth.ts'
import { verifyCode, signInByCode } from '#features/auth/sign-in/sign-in-codes.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { findKnownDevice, recordDevice } from '#features/auth/new-device/devices.server.ts'
import { SUBDOMAIN_ADDRESSING, toMailbox } from '#features/auth/sign-in/mailbox.server.ts'
import { issueToken, issueTokenWithinLimits, signInByLink } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { assert, type Db, dbSuite, onlyOnSqlite, refusal } from '#tests/support/suites.ts'

const NOW = 1_790_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const EMAIL = 'ana@ejemplo.es'

/** Rows written since the connection was opened. */
const totalChanges = (db: Db): number => sqliteOf(db).prepare<[], number>('SELECT total_changes()').pluck().get()!

/** Each list is one mailbox as it may be written. */
const MAILBOXES = [
  ['ana@ejemplo.es', 'ANA@Ejemplo.ES', 'ana+perros@ejemplo.es', 'ana+@ejemplo.es', 'ana+a+b@ejemplo.es'],
  ['ana.gil@ejemplo.es'],
  ['anagil@gmail.com', 'ana.gil@gmail.com', 'a.n.a.g.i.l+x@googlemail.com', 'AnaGil@GMail.com', 'ａｎａgil@gmail.com'],
  ['ana@ñandú.es', 'ana@xn--and-6ma2c.es', 'ana@ÑANDÚ.es', 'ana@n\u0303andu\u0301.es'],
  ['mark@ejemplo.es', 'mar\u212A@ejemplo.es', 'mark@ejemplo.es.'],
  ['ana_gil@protonmail.com', 'ana.gil@pm.me', 'anagil@proton.me'],
  ['ana@icloud.com', 'ana@me.com', 'ana+1@mac.com'],
  ['ana@yahoo.es', 'ana-perros@yahoo.es'],
  [
    'ana@fastmail.com',
    'perros@ana.fastmail.com',
    'Perros+1@ANA.Fastmail.com',
    'ana+1@fastmail.com',
    'x@y.ana.fastmail.com',
  ],
  ['ana@fastmail.es', 'perros@ana.fastmail.es'],
  ['perros@fastmail.com'],
  ['perros@ana.anonaddy.com', 'gatos@ana.anonaddy.me'],
  ['perros@ana.mozmail.com', 'gatos@ana.mozmail.com'],
  ['perros@mozmail.com'],
  ['perros@ana.ejemplo.es'],
  ['gatos@ana.ejemplo.es'],
  ['ana-perros@ejemplo.es'],
  ['+@ejemplo.es'],
  ['+a@ejemplo.es'],
]

const wrongCodeFor = (code: string) => (code === '000000' ? '000001' : '000000')

const mailbox = dbSuite('unit/auth/mailbox')

mailbox('every spelling of a mailbox normalises to one, and different mailboxes to different ones', () => {
  const folded = MAILBOXES.map((spellings) => [...new Set(spellings.map(toMailbox))])
  for (const [i, found] of folded.entries()) assert.is(found.length, 1, `${MAILBOXES[i]}: ${found}`)
  assert.is(new Set(folded.flat()).size, MAILBOXES.length)
})

mailbox(
  'whatever is before the user’s subdomain of a provider that has such is one mailbox, and each user has one',
  () => {
    for (const domain of SUBDOMAIN_ADDRESSING) {
      const spellings = Array.from({ length: 5 }, (_, n) => `nombre${n}@ana.${domain}`)
      assert.equal(new Set(spellings.map(toMailbox)).size, 1, domain)
      assert.is(toMailbox(`ana@${domain}`), toMailbox(spellings[0]!), domain)
      assert.is.not(toMailbox(`nombre1@luis.${domain}`), toMailbox(spellings[0]!), domain)
      assert.is.not(toMailbox(`nombre1@ana-${domain}`), toMailbox(spellings[0]!), domain)
    }
    assert.ok(SUBDOMAIN_ADDRESSING.size > 100)
  },
)

mailbox('addresses of one mailbox may have as many accounts', async ({ db }) => {
  const ids = new Set<string>()
  const emails = ['ana@gmail.com', 'a.na@gmail.com', 'ana+x@gmail.com', 'ana@fastmail.com', 'x@ana.fastmail.com']
  for (const email of emails) ids.add((await signInByLink(db, (await issueToken(db, email, NOW)).token, NOW))!.id)
  assert.is(ids.size, emails.length)
})

mailbox('a mailbox receives five mails an hour and fifteen a day, however it is spelt', async ({ db }) => {
  const spellings = ['anagil@gmail.com', 'ana.gil@gmail.com', 'anagil+1@gmail.com', 'anagil@googlemail.com']
  let count = 0
  const ask = (now: number) => issueTokenWithinLimits(db, spellings[count++ % spellings.length]!, {}, now)
  for (const hour of [0, 1, 2]) {
    const now = NOW + hour * (HOUR + 1)
    for (let i = 0; i < 5; i++) assert.ok(await ask(now + i), `${hour}: ${i}`)
    assert.is(await ask(now + 5), null)
    assert.is(await ask(now + HOUR - 1), null)
  }
  assert.is(await ask(NOW + 4 * HOUR), null, 'the day’s')
  assert.ok(await issueTokenWithinLimits(db, 'otra@gmail.com', {}, NOW + 4 * HOUR))
  assert.ok(await ask(NOW + DAY + 1))
})

mailbox('simultaneous requests send no more mails than the limit', async ({ db }) => {
  const issued = await Promise.all(Array.from({ length: 12 }, () => issueTokenWithinLimits(db, EMAIL, {}, NOW)))
  assert.is(issued.filter(Boolean).length, 5)
})

onlyOnSqlite(mailbox)('beyond its limit a mailbox costs the same statements and the same write', async ({ db }) => {
  const measure = async () => {
    const [statements, changes] = [countStatements(), totalChanges(db)]
    const secrets = await issueTokenWithinLimits(db, EMAIL, {}, NOW)
    return { mailed: secrets !== null, statements: countStatements() - statements, wrote: totalChanges(db) > changes }
  }
  const within = await measure()
  for (let i = 0; i < 4; i++) await measure()
  assert.equal(await measure(), { ...within, mailed: false })
  assert.equal([within.mailed, within.wrote], [true, true])
  const rows = await db.selectFrom('sign_in_tokens').select('mails').execute()
  assert.equal(rows, [{ mails: 5 }], 'and leaves no row')
})

mailbox('a known device still receives mails after strangers used up the mailbox’s', async ({ db }) => {
  const ana = await ensureUser(db, EMAIL, NOW)
  await recordDevice(db, ana, { secret: 'secreto', name: null }, NOW)
  for (let i = 0; i < 20; i++) await issueTokenWithinLimits(db, EMAIL, {}, NOW)
  assert.is(await issueTokenWithinLimits(db, EMAIL, {}, NOW), null)
  const device = await findKnownDevice(db, 'secreto', EMAIL)
  assert.ok(device)
  for (let i = 0; i < 5; i++) assert.ok(await issueTokenWithinLimits(db, EMAIL, { device }, NOW))
  assert.is(await issueTokenWithinLimits(db, EMAIL, { device }, NOW), null, 'its own allowance ends, too')
})

mailbox('a known device still signs in by code after strangers mistyped', async ({ db }) => {
  const { code } = await issueToken(db, EMAIL, NOW)
  for (let i = 0; i < MAX_CODE_TRIES + 3; i++) await signInByCode(db, EMAIL, wrongCodeFor(code), NOW)
  assert.is(await signInByCode(db, EMAIL, code, NOW), null, 'on another device it is void')
  assert.ok(await signInByCode(db, EMAIL, code, NOW, undefined, 'aparato'))
})

mailbox('strangers who use up a mailbox’s hourly attempts leave those of its devices', async ({ db }) => {
  for (let mail = 0; mail < 6; mail++) {
    const { code } = await issueToken(db, `ana+${mail}@ejemplo.es`, NOW)
    for (let i = 0; i < MAX_CODE_TRIES; i++) await signInByCode(db, `ana+${mail}@ejemplo.es`, wrongCodeFor(code), NOW)
  }
  const { code } = await issueToken(db, EMAIL, NOW)
  assert.is((await refusal(signInByCode(db, EMAIL, code, NOW)))[0], 429)
  assert.ok(await signInByCode(db, EMAIL, code, NOW, undefined, 'aparato'))
})

mailbox('a known device has limited code attempts too', async ({ db }) => {
  const { code } = await issueToken(db, EMAIL, NOW)
  for (let i = 0; i < MAX_CODE_TRIES; i++) await signInByCode(db, EMAIL, wrongCodeFor(code), NOW, undefined, 'aparato')
  assert.is(await signInByCode(db, EMAIL, code, NOW, undefined, 'aparato'), null)
})

mailbox('a device is known by the exact address it signed in to, until long unused', async ({ db }) => {
  const ana = await ensureUser(db, EMAIL, NOW)
  await recordDevice(db, ana, { secret: 'secreto', name: null }, NOW)
  for (const [secret, email] of [
    ['secreto', 'ana+x@ejemplo.es'],
    ['otro', EMAIL],
    [undefined, EMAIL],
  ] as const)
    assert.is(await findKnownDevice(db, secret, email), null)
  assert.not.ok(JSON.stringify(await db.selectFrom('account_devices').selectAll().execute()).includes('secreto'))
  assert.is(await deleteExpiredRows(db, NOW + (KNOWN_DEVICE_DAYS - 1) * DAY, ['account_devices']), 0)
  assert.is(await deleteExpiredRows(db, NOW + (KNOWN_DEVICE_DAYS + 1) * DAY, ['account_devices']), 1)
})

mailbox('an account has a bounded number of devices: the latest', async ({ db }) => {
  const ana = await ensureUser(db, EMAIL, NOW)
  for (let i = 0; i < 30; i++) await recordDevice(db, ana, { secret: `secreto ${i}`, name: null }, NOW + i)
  assert.is((await db.selectFrom('account_devices').select('id').execute()).length, 20)
  assert.ok(await findKnownDevice(db, 'secreto 29', EMAIL))
  assert.is(await findKnownDevice(db, 'secreto 0', EMAIL), null)
})

mailbox('a code for confirming signs nobody in, and one for signing in confirms nothing', async ({ db }) => {
  const verify = (code: string) => verifyCode(db, { email: EMAIL, code, purpose: 'confirm', device: 'aparato' }, NOW)
  const entering = await issueToken(db, EMAIL, NOW)
  const confirming = await issueToken(db, EMAIL, NOW, { purpose: 'confirm', device: 'aparato' })
  assert.is(await verify(entering.code), false)
  assert.is(await signInByCode(db, EMAIL, confirming.code, NOW), null)
  assert.is(await signInByLink(db, confirming.token, NOW), null)
  assert.is(await verify(confirming.code), true)
  assert.is(await verify(confirming.code), false)
})
