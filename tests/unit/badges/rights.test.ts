import { transact } from '#db/transact.ts'
import { restoreByLink } from '#features/account/deletion/restore-account.server.ts'
import { loadBadges } from '#features/badges/member-badges.server.ts'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { copyLeaving, disposeOriginal, type Leaving } from '#tests/support/account/leaving-member.ts'
import { dispose, leave } from '#tests/support/account/pending-deletion.ts'
import { refreshBadges } from '#tests/support/jobs.ts'
import { assert, dog, seed, suite } from '#tests/support/suites.ts'

// What is out of sight earns nothing, for whatever reason it is.

const rights = suite<{ leaving: Leaving; mix: string }>('unit/badges/rights')
rights.before.each(async (t) => {
  t.leaving = await copyLeaving()
  const { db, ana } = t.leaving
  const [mix] = await seed(db, dog({ owner_id: ana.id, breed: 'Mestizo', name: 'Mezcla' }))
  t.mix = mix.id
  await refreshBadges(db)
})
rights.after.each(({ leaving }) => dispose(leaving))
rights.after(disposeOriginal)

/** Whether Ana has the badge of her mix: to a reader, and in the row. */
async function hasBadge({ db, ana }: Leaving): Promise<[boolean, boolean]> {
  const { badges } = await loadBadges(db, ana.id)
  const row = await db
    .selectFrom('badges')
    .select('dog_id')
    .where('user_id', '=', ana.id)
    .where('badge', '=', 'first-mixed')
    .executeTakeFirst()
  return [badges.some(({ badge, dogId }) => badge === 'first-mixed' && dogId !== null), Boolean(row?.dog_id)]
}
const newsOf = ({ db, ana }: Leaving) =>
  db
    .selectFrom('notifications')
    .select('content')
    .where('user_id', '=', ana.id)
    .where('title', '=', 'Insignia nueva')
    .where('content', 'like', '%El primer mestizo%')
    .execute()

rights('a badge goes while its dog is hidden and comes back with it', async ({ leaving, mix }) => {
  assert.equal(await hasBadge(leaving), [true, true])
  await leaving.db.transaction().execute((trx) => hideDog(trx, mix, 'admin'))
  assert.equal(await hasBadge(leaving), [false, false])
  await refreshBadges(leaving.db)
  assert.equal(await hasBadge(leaving), [false, false])
  await transact(leaving.db, (trx) => showDog(trx, mix))
  assert.equal((await hasBadge(leaving))[0], true)
  await refreshBadges(leaving.db)
  assert.equal(await hasBadge(leaving), [true, true])
  assert.is((await newsOf(leaving)).length, 1)
})

for (const dogs of ['delete', 'keep'] as const)
  rights(
    `nothing is left of an account that waits for its deletion (${dogs}), until it comes back`,
    async ({ leaving }) => {
      const { db, ana } = leaving
      const { token } = await leave(leaving, dogs)
      assert.equal((await hasBadge(leaving))[0], false)
      await refreshBadges(db)
      assert.equal(await db.selectFrom('badges').selectAll().where('user_id', '=', ana.id).execute(), [])
      assert.equal(await db.selectFrom('challenge_entries').selectAll().where('user_id', '=', ana.id).execute(), [])
      await restoreByLink(db, token)
      await refreshBadges(db)
      assert.equal(await hasBadge(leaving), [true, true])
    },
  )
