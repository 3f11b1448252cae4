import { ensureUser, mailIdentity } from '#features/auth/users.server.ts'
import { signInByProvider } from '#features/auth/oauth/linked-accounts.server.ts'
import { inspectLink, issueToken, signInByLink } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { assertIdentitiesNotBanned, deleteBanDigests } from '#features/moderation/ban-digests.server.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { countRows, rowOf } from '#tests/support/rows.ts'
import { assert, dataSuite, type Db, type DbWorld, type FolderWorld, refusal } from '#tests/support/suites.ts'

const DAY = 86_400_000
const EMAIL = 'ana@ejemplo.es'

const digests = dataSuite('unit/moderation/ban-digests')

/** A member who signs in with this, is banned until then and deletes the account. */
async function deleteBannedAccount(
  { db, dir }: DbWorld & FolderWorld,
  until: number | null,
  enter = () => ensureUser(db, EMAIL),
) {
  const { id } = await enter()
  await ensureProfile(db, id)
  await ban(db, id, { until, reason: 'Insultos' })
  await deleteMemberAccount(db, dir, { id }, 'delete')
  return id
}
const google = (db: Db, id: string, hostedEmail: string | null = null) =>
  signInByProvider(db, 'google', { id, hostedEmail, claimedEmail: null })
const isRefused = async (deed: Promise<unknown>) => {
  const [status, detail] = await refusal(deed)
  assert.is(status, 403)
  assert.match(String(detail), /^Hasta el \d+ de \w+ de \d{4} no puedes abrir otra cuenta: la que eliminaste no podía/)
}

digests('the same mailbox opens no other account until the ban ends, and then it does', async (t) => {
  const { db, dir } = t
  const now = Date.now()
  await deleteBannedAccount(t, now + 7 * DAY)
  await isRefused(ensureUser(db, EMAIL))
  assert.is((await refusal(ensureUser(db, EMAIL, now + 6 * DAY)))[0], 403)
  await isRefused(google(db, '1', EMAIL))
  await isRefused(signInByProvider(db, 'github', { id: '1', hostedEmail: null, claimedEmail: EMAIL }))
  assert.equal(await db.selectFrom('users').selectAll().where('email', '=', EMAIL).execute(), [])
  assert.is((await ensureUser(db, EMAIL, now + 7 * DAY)).email, EMAIL)
  await deleteAllExpired(db, dir, now + 7 * DAY)
  for (const table of ['ban_digests', 'ban_keys']) assert.is(await countRows(db, table), 0, 'no key without a digest')
})

digests('a refused sign-in does not use up a mailed link, and no other member is affected', async (t) => {
  const { db } = t
  await deleteBannedAccount(t, null)
  const { token } = await issueToken(db, EMAIL)
  await isRefused(signInByLink(db, token))
  assert.is((await inspectLink(db, token)).state, 'open')
  // What limits fold into one mailbox may be two people.
  for (const other of ['ana+1@ejemplo.es', 'a.na@ejemplo.es', 'luis@ejemplo.es'])
    assert.is((await ensureUser(db, other)).email, other)
})

digests('the same account at a provider, with or without an address, opens no account either', async (t) => {
  const { db } = t
  await deleteBannedAccount(t, null, () => google(db, 'sin'))
  await isRefused(google(db, 'sin'))
  await isRefused(google(db, 'sin', 'otra@ejemplo.es'))
  await deleteBannedAccount(t, null, () => google(db, 'con', EMAIL))
  await isRefused(google(db, 'con', 'nueva@ejemplo.es'))
  await isRefused(ensureUser(db, EMAIL))
  // The same number at another provider is another person's.
  await signInByProvider(db, 'github', { id: 'sin', hostedEmail: null, claimedEmail: null })
  await google(db, 'otro')
})

digests('a member without a ban may register again', async (t) => {
  const { db, dir } = t
  const { id } = await ensureUser(db, EMAIL)
  await ensureProfile(db, id)
  await ban(db, id, { until: null, reason: 'x' })
  await unban(db, id)
  await deleteMemberAccount(db, dir, { id }, 'keep')
  assert.equal(await db.selectFrom('ban_keys').selectAll().execute(), [])
  const again = await ensureUser(db, EMAIL)
  await ensureProfile(db, again.id)
  await ban(db, again.id, { until: Date.now() - 1, reason: 'x' })
  await deleteMemberAccount(db, dir, again, 'keep')
  await ensureUser(db, EMAIL)
})

digests(
  'a permanent ban ends after two years, the later of two ends counts, and the operator can lift it',
  async (t) => {
    const { db } = t
    const now = Date.now()
    await deleteBannedAccount(t, null)
    assert.is((await refusal(assertIdentitiesNotBanned(db, [mailIdentity(EMAIL)], now + 729 * DAY)))[0], 403)
    await assertIdentitiesNotBanned(db, [mailIdentity(EMAIL)], now + 731 * DAY)
    // Somebody let in meanwhile, banned for a week and gone again, does not shorten it.
    await db.insertInto('users').values({ id: 'x', email: EMAIL, created_at: 1 }).execute()
    await deleteBannedAccount(t, now + 7 * DAY)
    assert.is((await refusal(assertIdentitiesNotBanned(db, [mailIdentity(EMAIL)], now + 700 * DAY)))[0], 403)
    assert.ok(await deleteBanDigests(db, [mailIdentity(EMAIL)]))
    assert.not(await deleteBanDigests(db, [mailIdentity(EMAIL)]))
    await ensureUser(db, EMAIL)
  },
)

digests('the stored digests reveal no address, and differ between sites', async (t) => {
  const other = { db: freshDb(), dir: t.dir }
  await deleteBannedAccount(t, null)
  await deleteBannedAccount(other, null)
  const rows = await t.db.selectFrom('ban_digests').selectAll().execute()
  assert.is(rows.length, 1)
  assert.equal(Object.keys(rows[0]!).toSorted(), ['digest', 'until'])
  assert.match(rows[0]!.digest, /^[\w-]{43}$/)
  assert.is.not(rows[0]!.digest, (await rowOf(other.db, 'ban_digests', {})).digest)
  await other.db.destroy()
})
