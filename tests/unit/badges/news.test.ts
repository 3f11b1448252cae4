import { hasDoneWeek, loadBadges } from '#features/badges/member-badges.server.ts'
import { THEMES } from '#features/challenges/themes.ts'
import { weekStart } from '#features/challenges/weeks.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { refreshBadges } from '#tests/support/jobs.ts'
import { assert, type CurrentUser, type Db, dbSuite, dog, member, seed } from '#tests/support/suites.ts'

const news = dbSuite('unit/badges/news', { ana: member() })

/** The week of a theme that nothing but a giant dog does, and its Monday's noon. */
const week = THEMES.findIndex(({ id }) => id === 'gigante')
const now = weekStart(week) + 12 * HOUR_MS

const bellOf = async (db: Db, userId: string) =>
  (await listNotifications(db, userId)).notifications.map(({ content }) => content)
const of = (user: CurrentUser, fields: Parameters<typeof dog>[0] = {}) => dog({ owner_id: user.id, ...fields })

news('news leave the bell with the breed that earned them', async ({ db, ana }) => {
  await seed(db, of(ana, { breed: 'Beagle', created_at: now - 30 * DAY_MS }))
  const [mix] = await seed(db, of(ana, { breed: 'Mestizo', created_at: now }))
  await refreshBadges(db, now)
  assert.equal(await bellOf(db, ana.id), ['Has ganado «El primer mestizo».'])
  await db.updateTable('dogs_all').set({ breed: 'Beagle', breed_slug: 'beagle' }).where('id', '=', mix.id).execute()
  await refreshBadges(db, now)
  assert.equal(await bellOf(db, ana.id), [])
})

news('news of several go with one of them, though their dog has earned another', async ({ db, ana }) => {
  const [mix] = await seed(
    db,
    of(ana, { breed: 'Mestizo', created_at: now }),
    of(ana, { breed: 'Beagle', created_at: now + 1 }),
  )
  await refreshBadges(db, now + 1)
  assert.equal(await bellOf(db, ana.id), ['Has ganado 2 insignias: «La primera de su raza» y «El primer mestizo».'])
  await db.updateTable('dogs_all').set({ breed: 'Beagle', breed_slug: 'beagle' }).where('id', '=', mix.id).execute()
  await refreshBadges(db, now + 1)
  const { badges } = await loadBadges(db, ana.id)
  assert.equal(
    badges.filter(({ dogId }) => dogId !== null).map(({ badge, dogId }) => [badge, dogId]),
    [['first-of-breed', mix.id]],
  )
  assert.not.match((await bellOf(db, ana.id)).join(), 'mestizo')
})

news('news of a week go with its entry', async ({ db, ana }) => {
  // Another dog, older than the bell's news, holds what else this one would earn.
  await seed(db, of(ana, { breed: 'Beagle', size: 'mini', created_at: now - 30 * DAY_MS }))
  const [giant] = await seed(db, of(ana, { breed: 'Beagle', size: 'gigante', created_at: now }))
  await refreshBadges(db, now)
  assert.equal(await bellOf(db, ana.id), ['Has ganado «Reto de la semana: Un gigante».'])
  assert.ok(await hasDoneWeek(db, ana.id, week))
  await db.updateTable('dogs_all').set({ size: 'mini' }).where('id', '=', giant.id).execute()
  assert.not.ok(await hasDoneWeek(db, ana.id, week), 'in the queue')
  await refreshBadges(db, now)
  assert.equal(await bellOf(db, ana.id), [])
  assert.not.ok(await hasDoneWeek(db, ana.id, week))
})
