import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { loadBadges } from '#features/badges/member-badges.server.ts'
import { badgeWeeks } from '#features/badges/refresh.server.ts'
import { selectAlbumDogs } from '#features/badges/decide.server.ts'
import { listsOf } from '#features/account/export/export-rows.server.ts'
import { loadParticipants, selectParticipants } from '#features/challenges/challenge.server.ts'
import { THEMES } from '#features/challenges/themes.ts'
import { weekStart } from '#features/challenges/weeks.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { enqueue, isQueued } from '#features/outbox/jobs.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { countJobs, refreshBadges } from '#tests/support/jobs.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { type CurrentUser, dog, member, seed } from '#tests/support/seed.ts'
import { allPages, assert, assertNone, type Db, dbSuite, onlyOnSqlite, refusal, update } from '#tests/support/suites.ts'

const badges = dbSuite('unit/badges/badges', { ana: member({ alias: 'Ana' }) })

/** The badges that a member has earned, with their dogs. */
async function earnedBy(db: Db, userId: string): Promise<Record<string, string>> {
  const rows = await db.selectFrom('badges').selectAll().where('user_id', '=', userId).execute()
  const live = await loadBadges(db, userId)
  const waits = await isQueued(db, 'badges', userId)
  const earned = live.badges.flatMap(({ badge, dogId }) => (dogId === null ? [] : [[badge, dogId] as const]))
  // What is stored is what is decided on the spot.
  if (!waits)
    assert.equal(
      earned.toSorted(),
      rows.flatMap(({ badge, dog_id }) => (dog_id === null ? [] : [[badge, dog_id] as const])).toSorted(),
    )
  return Object.fromEntries(earned)
}
const bellOf = async (db: Db, userId: string) =>
  (
    await db
      .selectFrom('notifications')
      .select(['title', 'content', 'link'])
      .where('user_id', '=', userId)
      .where('title', '=', 'Insignia nueva')
      .execute()
  ).map(({ content, link }) => `${content} ${link}`)
const of = (user: CurrentUser, fields: Parameters<typeof dog>[0] = {}) => dog({ owner_id: user.id, ...fields })

badges('a badge comes with its dog, quietly, and goes when it is deleted', async ({ db, ana }) => {
  const [mix] = await seed(db, of(ana, { breed: 'Mestizo' }))
  assert.equal(await earnedBy(db, ana.id), { 'first-mixed': mix.id })
  await refreshBadges(db)
  assert.equal(await earnedBy(db, ana.id), { 'first-mixed': mix.id })
  assert.equal(await bellOf(db, ana.id), ['Has ganado «El primer mestizo». /insignias'])
  assert.equal(await db.selectFrom('push_queue').selectAll().execute(), [])
  await db.deleteFrom('dogs_all').where('id', '=', mix.id).execute()
  assert.equal(await db.selectFrom('badges').selectAll().where('badge', '=', 'first-mixed').execute(), [])
  assert.equal(await earnedBy(db, ana.id), {})
  await refreshBadges(db)
  assert.equal(await earnedBy(db, ana.id), {})
})

badges('a badge goes when its dog changes breed, and its line in the bell too', async ({ db, ana }) => {
  const [mix] = await seed(db, of(ana, { breed: 'Mestizo' }))
  await refreshBadges(db)
  await db.updateTable('dogs_all').set({ breed: 'Beagle', breed_slug: 'beagle' }).where('id', '=', mix.id).execute()
  assert.is((await earnedBy(db, ana.id))['first-mixed'], undefined)
  await refreshBadges(db)
  assert.equal(await earnedBy(db, ana.id), { 'first-of-breed': mix.id })
  assert.equal(await bellOf(db, ana.id), ['Has ganado «La primera de su raza». /insignias'])
})

badges('the first place of a breed passes to the next dog, and back', async ({ db, ana }) => {
  const [luis] = await seed(db, member())
  const now = Date.now()
  const [older] = await seed(db, of(ana, { breed: 'Beagle', created_at: now - 2 * DAY_MS }))
  const [younger] = await seed(db, of(luis, { breed: 'Beagle', created_at: now - DAY_MS }))
  await refreshBadges(db)
  assert.equal(await earnedBy(db, ana.id), { 'first-of-breed': older.id })
  assert.equal(await earnedBy(db, luis.id), {})
  const row = await db.selectFrom('dogs').selectAll().where('id', '=', older.id).executeTakeFirstOrThrow()
  await db.deleteFrom('dogs_all').where('id', '=', older.id).execute()
  assert.equal(await earnedBy(db, luis.id), { 'first-of-breed': younger.id })
  await refreshBadges(db)
  assert.equal(await earnedBy(db, luis.id), { 'first-of-breed': younger.id })
  await db.insertInto('dogs_all').values(row).execute()
  await refreshBadges(db)
  assert.equal(await earnedBy(db, ana.id), { 'first-of-breed': older.id })
  assert.equal(await earnedBy(db, luis.id), {})
})

badges('owner and discoverer both have what a dog earns, until they have it no more', async ({ db, ana }) => {
  const [luis] = await seed(db, member())
  const [mix] = await seed(db, dog({ breed: 'Mestizo', owner_id: ana.id, discoverer_id: luis.id }))
  await refreshBadges(db)
  for (const { id } of [ana, luis]) assert.equal(await earnedBy(db, id), { 'first-mixed': mix.id })
  await db.updateTable('dogs_all').set({ discoverer_id: null }).where('id', '=', mix.id).execute()
  assert.equal(await earnedBy(db, luis.id), {})
  await refreshBadges(db)
  assert.equal(await earnedBy(db, luis.id), {})
  assert.equal(await earnedBy(db, ana.id), { 'first-mixed': mix.id })
})

badges('one of each size is earned by the last of the five', async ({ db, ana }) => {
  const sizes = ['mini', 'pequeño', 'mediano', 'grande', 'gigante'] as const
  for (const [i, size] of sizes.entries())
    await seed(db, of(ana, { breed: 'Beagle', size, created_at: Date.now() - (10 - i) * HOUR_MS }))
  await refreshBadges(db)
  const row = await db.selectFrom('badges').selectAll().where('badge', '=', 'all-sizes').executeTakeFirstOrThrow()
  const last = await db
    .selectFrom('dogs')
    .select(['id', 'created_at'])
    .where('size', '=', 'gigante')
    .executeTakeFirstOrThrow()
  assert.equal([row.progress, row.dog_id, row.earned_at], [5, last.id, last.created_at])
  // The second of a size steps in where the first goes.
  await db.updateTable('dogs_all').set({ size: 'mini' }).where('id', '=', last.id).execute()
  await refreshBadges(db)
  const after = await db.selectFrom('badges').selectAll().where('badge', '=', 'all-sizes').executeTakeFirstOrThrow()
  assert.equal([after.progress, after.dog_id, after.earned_at], [4, null, null])
})

badges('dogs from before count, and ring no bell', async ({ db, ana }) => {
  const [mix] = await seed(db, of(ana, { breed: 'Mestizo', created_at: Date.now() - 30 * DAY_MS }))
  await db.deleteFrom('jobs').execute()
  await enqueue(db, 'badges', [{ key: ana.id, userId: ana.id }])
  await refreshBadges(db)
  assert.equal(await earnedBy(db, ana.id), { 'first-mixed': mix.id })
  assert.equal(await bellOf(db, ana.id), [])
})

badges('a queue longer than a page is worked off, and twice is as once', async ({ db }) => {
  for (let i = 0; i < 45; i++) {
    const [someone] = await seed(db, member())
    await seed(db, of(someone, { breed: 'Mestizo' }))
  }
  await refreshBadges(db)
  assert.is(await countJobs(db, 'badges'), 0)
  assert.is((await db.selectFrom('badges').select('user_id').where('badge', '=', 'first-mixed').execute()).length, 45)
  const before = await db.selectFrom('notifications').select('id').execute()
  const profiles = await db.selectFrom('profiles').select('id').execute()
  await enqueue(
    db,
    'badges',
    profiles.map(({ id }) => ({ key: id, userId: id })),
  )
  await refreshBadges(db)
  assert.equal(await db.selectFrom('notifications').select('id').execute(), before)
})

badges('votes and comments queue nobody', async ({ db, ana }) => {
  const [toby] = await seed(db, of(ana))
  await db.deleteFrom('jobs').execute()
  await db.insertInto('dog_likes_all').values({ id: 'x', dog_id: toby.id, user_id: ana.id, created_at: 1 }).execute()
  await db.updateTable('dogs_all').set({ weight: 3, name: 'Otro' }).execute()
  assert.is(await countJobs(db, 'badges'), 0)
})

/** A Monday's noon in the week of a theme. */
const noonOf = (id: string) => weekStart(THEMES.findIndex((theme) => theme.id === id)) + 12 * HOUR_MS
const weekOfTheme = (id: string) => THEMES.findIndex((theme) => theme.id === id)

badges('the first dog that fits does the week’s challenge, one from before as well, but none from after', async (t) => {
  const { db, ana } = t
  const week = weekOfTheme('pastor')
  const collie = { breed: 'Border collie' }
  const done = async () =>
    (await loadParticipants(db, week)).participants.map(({ dog, joinedAt }) => [dog.name, joinedAt])
  const refresh = () => refreshBadges(db, noonOf('pastor'))
  await seed(
    db,
    of(ana, { breed: 'Beagle', name: 'Otro', created_at: noonOf('pastor') }),
    of(ana, { ...collie, name: 'Despues', created_at: weekStart(week + 1) }),
  )
  await refresh()
  assert.equal(await done(), [])
  await seed(db, of(ana, { ...collie, name: 'Justo', created_at: noonOf('pastor') }))
  await refresh()
  assert.equal(await done(), [['Justo', noonOf('pastor')]])
  await seed(db, of(ana, { ...collie, name: 'Antes', created_at: weekStart(week) - 1 }))
  await refresh()
  assert.equal(await done(), [['Antes', weekStart(week)]])
})

badges('on a new week’s Monday everybody with dogs is decided anew', async ({ db, ana }) => {
  const monday = weekStart(weekOfTheme('pastor'))
  await seed(db, of(ana, { breed: 'Border collie', created_at: monday - 1 }), member())
  const decided = () =>
    db.selectFrom('challenge_entries').select('joined_at').where('joined_at', '=', monday).executeTakeFirst()
  for (const now of [monday - 1, monday]) {
    assert.is(await decided(), undefined)
    await runDueJobs(db, [badgeWeeks], { now })
    await refreshBadges(db, now)
  }
  assert.ok(await decided())
  assert.is(await countJobs(db, 'badges'), 0)
})

badges('four weeks make a badge, in whatever weeks', async ({ db, ana }) => {
  for (const id of ['mil-leches', 'compania', 'nariz', 'terrier'])
    await seed(
      db,
      of(ana, {
        breed: { 'mil-leches': 'Mestizo', compania: 'Bichón maltés', nariz: 'Beagle', terrier: 'Airedale terrier' }[
          id
        ]!,
        created_at: noonOf(id),
      }),
    )
  await refreshBadges(db)
  assert.is((await db.selectFrom('challenge_entries').selectAll().execute()).length, 4)
  assert.ok((await earnedBy(db, ana.id))['four-weeks'])
})

badges(
  'participants come newest first, page by page, without blocked members and hidden profiles',
  async ({ db, ana }) => {
    const week = weekOfTheme('mil-leches')
    const people: CurrentUser[] = []
    for (let i = 0; i < 7; i++) {
      const [someone] = await seed(db, member({ alias: `Socio ${i}` }))
      await seed(db, of(someone, { breed: 'Mestizo', created_at: noonOf('mil-leches') + (i >> 1) }))
      people.push(someone)
    }
    await refreshBadges(db)
    const names = (await allPages((cursor) => loadParticipants(db, week, { cursor, limit: 3 }))).flatMap((page) =>
      page.participants.map(({ alias }) => alias),
    )
    assert.equal(names.toSorted(), people.map(({ alias }) => alias).toSorted())
    assert.is(names[0], 'Socio 6')
    await addBlock(db, ana, people[0]!.id)
    await addBlock(db, people[1]!, ana.id)
    await db.deleteFrom('profiles_all').where('id', '=', people[2]!.id).execute()
    const seen = (await loadParticipants(db, week, { user: ana })).participants.map(({ alias }) => alias)
    assert.equal(seen.toSorted(), ['Socio 3', 'Socio 4', 'Socio 5', 'Socio 6'])
    await update(db, 'dogs_all', { owner_id: people[6]!.id }, { owner_id: null, discoverer_id: null })
    assert.not((await loadParticipants(db, week)).participants.some(({ alias }) => alias === 'Socio 6'))
    for (const wrong of ['x', btoa(JSON.stringify(['challenge 1', 1, 'x']))])
      assert.is((await refusal(loadParticipants(db, week, { cursor: wrong })))[0], 422)
  },
)

onlyOnSqlite(badges)('what is read is found by indexes', async ({ db, ana }) => {
  await seed(db, of(ana, { breed: 'Mestizo' }))
  await refreshBadges(db)
  await seed(db, of(ana, { breed: 'Beagle' }))
  const plans = await explainQueries(db, async (listening) => {
    await selectParticipants(listening, 3, 50, { joinedAt: 1, userId: 'x' }).execute()
    await selectAlbumDogs(listening, ana.id, { createdAt: 1, id: 'x' }).execute()
    await loadBadges(listening, ana.id)
  })
  assert.equal(findSlowSteps(plans), [])
  assertNone(
    plans.flatMap(({ steps }) => steps),
    (step) => /^SCAN (?!json_each)/.test(step),
  )
})

badges('the export has badges and challenges, and erasing leaves nothing', async ({ db, ana }) => {
  const [mix] = await seed(db, of(ana, { breed: 'Mestizo', created_at: noonOf('mil-leches') }))
  await refreshBadges(db)
  const list = async (rows: AsyncGenerator<object>) => {
    const all: object[] = []
    for await (const row of rows) all.push(row)
    return all
  }
  const conseguida = new Date(noonOf('mil-leches')).toISOString()
  assert.equal((await list(listsOf('').insignias!(db, ana.id)))[0], {
    insignia: 'first-mixed',
    progreso: 1,
    dog_id: mix.id,
    conseguida,
  })
  assert.equal(await list(listsOf('').retos_de_la_semana!(db, ana.id)), [
    { semana: weekOfTheme('mil-leches'), dog_id: mix.id, created_at: conseguida },
  ])
  await eraseRows(db, ana.id, ['badges', 'challenge_entries', 'jobs'])
  for (const table of ['badges', 'challenge_entries', 'jobs'] as const)
    assert.equal(await db.selectFrom(table).selectAll().execute(), [])
})
