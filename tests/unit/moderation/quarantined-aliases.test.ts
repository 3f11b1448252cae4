import { sqliteOf } from '#db/client.ts'
import type { HiddenCause } from '#db/content.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { findHidden } from '#features/moderation/content.server.ts'
import { checkAliasAvailability, updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { getMember } from '#features/profiles/member.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { hideTarget, showTarget } from '#features/reports/cases/target-visibility.server.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { type CurrentUser, member } from '#tests/support/seed.ts'
import { assert, dataSuite, type Db, onlyOnSqlite, pluck, refusal, type WorldOf } from '#tests/support/suites.ts'
import { update } from '#tests/support/rows.ts'

// The alias of a hidden profile stays its member's.

const aliases = dataSuite(
  'unit/moderation/quarantined-aliases',
  { pilar: member({ alias: 'Pilar' }), luis: member({ alias: 'Luis' }) },
  async ({ db, pilar }) => {
    await db.updateTable('profiles_all').set({ verified: 1 }).where('id', '=', pilar.id).execute()
  },
)
type World = WorldOf<typeof aliases>

const hide = ({ db }: World, { id }: { id: string }, cause: HiddenCause = 'admin') =>
  hideTarget(db, { kind: 'profile', id }, cause, async () => {})

const restore = async ({ db }: World, { id }: { id: string }) =>
  showTarget(db, (await findHidden(db, 'profile', id))!, async () => {})

const readProfile = (db: Db, { id }: { id: string }) =>
  db
    .selectFrom('profiles')
    .select(['alias', 'alias_key', 'emoji', 'verified', 'created_at'])
    .where('id', '=', id)
    .execute()

const TAKEN = [422, 'Este alias ya está en uso.']

const take = ({ db }: { db: Db }, user: CurrentUser, alias: string) => updateProfile(db, user, { alias, emoji: '🐶' })

for (const cause of ['admin', 'reports'] as const)
  aliases(`hidden by ${cause}: nobody takes the alias or a look-alike, and it returns with its badge`, async (t) => {
    const before = await readProfile(t.db, t.pilar)
    await hide(t, t.pilar, cause)
    for (const alias of ['Pilar', 'PÍLAR', 'PiIar', 'Pilar.', 'P!lar']) {
      // The same answer as for a visible profile's alias.
      for (const user of [t.luis, null])
        assert.equal(await checkAliasAvailability(t.db, user, alias), {
          available: false,
          alias,
          detail: 'Este alias ya está en uso.',
        })
      assert.equal(await refusal(take(t, t.luis, alias)), TAKEN, alias)
    }
    assert.is((await take(t, t.luis, 'Pilarín')).alias, 'Pilarín', 'others are free')
    assert.is(await getMember(t.db, t.pilar.id), undefined)
    await restore(t, t.pilar)
    assert.equal(await readProfile(t.db, t.pilar), before)
    assert.is(before[0]!.verified, 1)
    assert.equal(await refusal(take(t, t.luis, 'Pilar')), TAKEN)
  })

aliases('its member, who has no profile meanwhile, is told nothing else and gets no other one', async (t) => {
  await hide(t, t.pilar)
  assert.is((await checkAliasAvailability(t.db, t.pilar, 'Pilar')).available, true)
  assert.equal(await refusal(take(t, t.pilar, 'Pilar')), [404, 'Usuario no encontrado'])
  assert.is((await ensureProfile(t.db, t.pilar.id)).alias, 'Usuario')
  assert.equal(await readProfile(t.db, t.pilar), [])
})

aliases('a generated alias is none that a hidden profile has', async (t) => {
  await take(t, t.pilar, 'Perrit4821')
  await hide(t, t.pilar)
  const { id } = await ensureUser(t.db, 'nueva@ejemplo.es')
  const numbers = [4821, 4821, 77]
  const profile = await ensureProfile(t.db, id, Date.now(), () => numbers.shift()!)
  assert.is(profile.alias, 'Perrit77')
  await restore(t, t.pilar)
  assert.is((await readProfile(t.db, t.pilar))[0]!.alias, 'Perrit4821')
})

aliases('of a hiding and edits that take the alias at the same time, no edit takes it', async (t) => {
  const edits = [take(t, t.luis, 'Pilar'), hide(t, t.pilar), take(t, t.luis, 'PiIar')]
  const results = await Promise.allSettled(edits)
  assert.equal(pluck(results, 'status'), ['rejected', 'fulfilled', 'rejected'])
  await restore(t, t.pilar)
  assert.is((await readProfile(t.db, t.pilar))[0]!.verified, 1)
})

/** The database, on which `action` runs after the first look for an alias's holder. */
function interruptAfterLook(db: Db, action: () => Promise<void>): Db {
  const asked = new WeakSet<object>()
  let isDone = false
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && node.where && JSON.stringify(node.where).includes('"alias_key"'))
        asked.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (asked.has(queryId) && !isDone) {
        isDone = true
        await action()
      }
      return result
    },
  })
}

aliases('a return between the two looks of an edit that takes the alias: the edit is refused', async (t) => {
  // Neither look finds Pilar: her profile is not visible at the first one, and not hidden any more at the second one.
  const before = await readProfile(t.db, t.pilar)
  await hide(t, t.pilar)
  const late = interruptAfterLook(t.db, () => restore(t, t.pilar))
  assert.equal(await refusal(take({ db: late }, t.luis, 'Pilar')), TAKEN)
  assert.equal(await readProfile(t.db, t.pilar), before)
})

aliases('a hiding after both looks of an edit that takes the alias: the edit is refused', async (t) => {
  const late = interruptAfterLook(t.db, async () => {
    await take(t, t.pilar, 'Trufa')
    await hide(t, t.pilar)
  })
  assert.equal(await refusal(take({ db: late }, t.luis, 'Trufa')), TAKEN)
  await restore(t, t.pilar)
  assert.is((await readProfile(t.db, t.pilar))[0]!.alias, 'Trufa')
})

aliases('a look-alike from before keeps its place beside the one that returns', async (t) => {
  const { db, pilar, luis } = t
  await hide(t, pilar)
  await update(db, 'profiles_all', { id: luis.id }, { alias: 'PiIar', alias_key: `pllar#${luis.id}` })
  await restore(t, pilar)
  const [row] = await readProfile(db, pilar)
  assert.equal([row!.alias, row!.verified, row!.alias_key], ['Pilar', 1, 'pllar'])
  assert.is((await readProfile(db, luis))[0]!.alias, 'PiIar')
})

aliases('the alias is free when the hidden member’s account is deleted', async (t) => {
  await hide(t, t.pilar)
  await deleteMemberAccount(t.db, t.dir, t.pilar, 'keep')
  assert.is((await take(t, t.luis, 'Pilar')).alias, 'Pilar')
})

onlyOnSqlite(aliases)('hidden profiles are looked up by index', ({ db }) => {
  const plan = sqliteOf(db)
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id FROM profiles_all WHERE alias_key >= 'a' AND alias_key < 'b'`,
    )
    .all()
  assert.match(plan.map(({ detail }) => detail).join(' '), /SEARCH profiles_all USING INDEX/)
})
