import { like, unlike } from '#features/likes/likes.server.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { readYearSummary, summariseYear } from '#features/years/summary.server.ts'
import { transact } from '#db/transact.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, type CurrentUser, type Db, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
const NOW = at('2026-12-10')

const summary = dbSuite('unit/years/summary', {
  bea: member({ alias: 'Bea' }),
  eva: member({ alias: 'Eva' }),
  ana: member({ alias: 'Ana' }),
})

const ofAna = (ana: CurrentUser, fields: object, day: string) =>
  dog({ owner_id: ana.id, created_at: at(day), ...fields })

const likeOn = (db: Db, who: CurrentUser, dogId: string, day: string) => like(db, who, dogId, at(day))

summary(
  'a year counts own and discovered dogs, new breeds by province, likes and breeds',
  async ({ db, ana, bea, eva }) => {
    const [old, first, second, third] = await seed(
      db,
      ofAna(ana, { breed: 'Beagle', zone: 'Soria' }, '2025-06-01'),
      ofAna(ana, { breed: 'Beagle', zone: 'Soria' }, '2026-01-01'),
      dog({ breed: 'Bóxer', zone: 'Teruel', discoverer_id: ana.id, created_at: at('2026-03-01') }),
      ofAna(ana, { breed: 'Galgo español', zone: 'Teruel' }, '2026-12-01'),
      ofAna(ana, { breed: 'Akita Inu' }, '2027-01-01'),
    )
    await likeOn(db, bea, old.id, '2026-02-01')
    await likeOn(db, bea, second.id, '2026-04-01')
    await likeOn(db, eva, second.id, '2026-04-02')
    await likeOn(db, eva, third.id, '2025-12-31')
    assert.equal(await summariseYear(db, ana.id, 2026, NOW), {
      owned: 2,
      discovered: 1,
      likes: 3,
      newBreeds: ['boxer', 'galgo-espanol'],
      provinces: [['44', 2]],
      breeds: [
        ['beagle', 1],
        ['boxer', 1],
        ['galgo-espanol', 1],
      ],
      breedCount: 3,
      likedLikes: 2,
      fanLikes: 2,
      firstDogId: first.id,
      lastDogId: third.id,
      likedDogId: second.id,
      fanId: bea.id,
    })
  },
)

summary('a year begins and ends at midnight in Madrid', async ({ db, ana }) => {
  const times = ['2025-12-31T22:59:59Z', '2025-12-31T23:00:00Z', '2026-12-31T22:59:59Z', '2026-12-31T23:00:00Z']
  const dogs = await seed(db, ...times.map((time) => dog({ owner_id: ana.id, created_at: Date.parse(time) })))
  const { owned, firstDogId, lastDogId } = await summariseYear(db, ana.id, 2026, NOW)
  assert.equal([owned, firstDogId, lastDogId], [2, dogs[1]!.id, dogs[2]!.id])
})

summary('a member without dogs has an empty year', async ({ db, ana }) => {
  const { owned, discovered, likes, likedDogId, fanId } = await readYearSummary(db, ana.id, 2026, NOW)
  assert.equal([owned, discovered, likes, likedDogId, fanId], [0, 0, 0, null, null])
})

const computedAt = async (db: Db, userId: string) =>
  (await db.selectFrom('member_years').select('computed_at').where('user_id', '=', userId).executeTakeFirst())
    ?.computed_at

summary('a year is computed again once a dog is added, liked, edited or hidden', async ({ db, ana, bea, eva }) => {
  const [toby, luna] = await seed(db, ofAna(ana, {}, '2026-05-01'), ofAna(ana, { breed: 'Bóxer' }, '2026-06-01'))
  let now = NOW
  const first = await readYearSummary(db, ana.id, 2026, ++now)
  assert.equal(await readYearSummary(db, ana.id, 2026, ++now), first)
  assert.is(await computedAt(db, ana.id), NOW + 1, 'nothing has changed')

  await likeOn(db, bea, toby.id, '2026-07-01')
  assert.is((await readYearSummary(db, ana.id, 2026, ++now)).likes, 1)
  await unlike(db, bea, toby.id)
  assert.is((await readYearSummary(db, ana.id, 2026, ++now)).likes, 0)
  await likeOn(db, bea, toby.id, '2026-07-02')
  assert.equal((await readYearSummary(db, ana.id, 2026, ++now)).fanId, bea.id)
  // Between two readings one like goes and another comes.
  await unlike(db, bea, toby.id)
  await likeOn(db, eva, luna.id, '2026-07-03')
  const changed = await readYearSummary(db, ana.id, 2026, ++now)
  assert.equal([changed.likes, changed.likedDogId, changed.fanId], [1, luna.id, eva.id])
  await unlike(db, eva, luna.id)
  await seed(db, ofAna(ana, {}, '2026-08-01'))
  assert.is((await readYearSummary(db, ana.id, 2026, ++now)).owned, 3)
  await db.updateTable('dogs_all').set({ breed_slug: 'beagle', updated_at: now }).where('id', '=', luna.id).execute()
  assert.is((await readYearSummary(db, ana.id, 2026, ++now)).breedCount, 1)

  await transact(db, (trx) => hideDog(trx, toby.id, 'reports', now))
  assert.is(await computedAt(db, ana.id), undefined, 'the kept year went with its first dog')
  const left = await readYearSummary(db, ana.id, 2026, ++now)
  assert.equal([left.owned, left.firstDogId], [2, luna.id])
})

summary(
  'who liked most vanishes when they block, are blocked, banned, leave or are erased',
  async ({ db, ana, bea, eva }) => {
    const [toby, luna] = await seed(db, ofAna(ana, {}, '2026-05-01'), ofAna(ana, {}, '2026-05-02'))
    for (const each of [toby, luna]) await likeOn(db, bea, each.id, '2026-06-01')
    await likeOn(db, eva, toby.id, '2026-06-01')
    const fan = async () => (await readYearSummary(db, ana.id, 2026, NOW)).fanId
    assert.is(await fan(), bea.id)

    await transact(db, (trx) => ban(trx, bea.id, { until: null, reason: 'Insultos' }, NOW))
    assert.is(await fan(), eva.id, 'banned')
    await transact(db, (trx) => unban(trx, bea.id))
    await db.deleteFrom('member_years').execute()
    assert.is(await fan(), bea.id)

    await transact(db, (trx) => addBlock(trx, bea, ana.id, NOW))
    assert.is(await fan(), eva.id, 'blocked the member')
    await db.deleteFrom('blocks').execute()
    await db.deleteFrom('member_years').execute()
    await transact(db, (trx) => addBlock(trx, ana, bea.id, NOW))
    assert.is(await fan(), eva.id, 'blocked by the member')
    await db.deleteFrom('blocks').execute()
    await db.deleteFrom('member_years').execute()

    assert.is(await fan(), bea.id)
    await db.deleteFrom('profiles_all').where('id', '=', bea.id).execute()
    assert.is(await fan(), eva.id, 'hidden')
    await db.deleteFrom('users').where('id', '=', eva.id).execute()
    assert.is(await computedAt(db, ana.id), undefined, 'erased')
    assert.is(await fan(), null)
  },
)

onlyOnSqlite(summary)('a year is read by indexes', async ({ db, ana }) => {
  const plans = await explainQueries(db, (listening) => readYearSummary(listening, ana.id, 2026, NOW))
  assert.match(plans[0]!.steps.join('\n'), /SEARCH dog_likes_all USING COVERING INDEX dog_likes_dog \(dog_id=\?\)/)
  const scans = plans
    .flatMap(({ steps }) => steps)
    .filter((step) => /^SCAN (m|d|l|dogs_all|dog_likes_all|member_dogs)\b/.test(step))
  assert.equal(scans, [])
})
