import { saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { deleteExpiredLostRows } from '#features/lost/retention.server.ts'
import { moveBy, offsetOf, randomOffset } from '#features/lost/place.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, type CurrentUser, dbSuite, type Dog, dog, member, seed, type WorldOf } from '#tests/support/suites.ts'
import { update } from '#tests/support/rows.ts'
import { randomUUID } from 'node:crypto'
import { OFFSET_MAX_M, OFFSET_MIN_M } from '#features/lost/lost.ts'
import { distanceKm } from '#lib/geo.ts'

const NOW = Date.now()
const REST = { help: '', chip: null } as const
const HOME = { lat: 40.30571, lon: -3.73291 }
const mark = async ({ db }: World, user: CurrentUser, { id }: Dog) =>
  (await saveLostCase(db, user, id, { since: Date.now() - HOUR_MS, ...HOME, zone: null, help: '', chip: null })).case

const owners = dbSuite('unit/lost/offset-owners', { ana: member(), bea: member() }, async ({ db, ana }) => {
  const [toby, luna] = await seed(db, dog({ owner_id: ana.id }), dog({ owner_id: ana.id }))
  return { toby, luna }
})
type World = WorldOf<typeof owners>

owners('who has a dog next does not get the offset of who had it before', async (t) => {
  const before = await mark(t, t.ana, t.toby)
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  await t.db.updateTable('dogs_all').set({ owner_id: t.bea.id }).where('id', '=', t.toby.id).execute()
  const after = await mark(t, t.bea, t.toby)
  assert.not.equal(after.shown, before.shown)
})

owners('two dogs that are lost together are shown at one place: their circles have no middle', async (t) => {
  assert.equal((await mark(t, t.ana, t.luna)).shown, (await mark(t, t.ana, t.toby)).shown)
})

/** The place of a reading that is `metres` off the door, in a direction of its own. */
const readingOf = (n: number, metres = 20 + ((n * 7) % 31)) =>
  moveBy(HOME, { north: metres * Math.cos(n), east: metres * Math.sin(n) })

owners('years of cases, each with a reading of its own, publish one circle', async (t) => {
  const shown = new Set<string>()
  let now = NOW
  for (let n = 0; n < 40; n++, now += 45 * DAY_MS) {
    const lost = n % 3 === 0 ? t.luna : t.toby
    const place = { ...readingOf(n), zone: null }
    const save = async () => (await saveLostCase(t.db, t.ana, lost.id, { since: now, ...place, ...REST }, now)).case
    shown.add(JSON.stringify((await save()).shown))
    await endLostCase(t.db, t.ana, lost.id, 'home', { now })
    await deleteExpiredLostRows(t.db, now + 40 * DAY_MS)
  }
  assert.is(shown.size, 1)
  const rows = await t.db.selectFrom('lost_history').selectAll().execute()
  assert.equal(
    rows.map(({ since, zone, help, thanked_at, ended_at }) => [since, zone, help, thanked_at, ended_at]),
    [
      [null, null, null, null, 0],
      [null, null, null, null, 0],
    ],
    'the circle alone is left',
  )
})

owners(
  'the circle stays within 300 metres of what it was made of, however the place wanders, and moves beyond',
  async (t) => {
    const at = async (metres: number) => {
      const place = { ...moveBy(HOME, { north: metres, east: 0 }), zone: null }
      return (await saveLostCase(t.db, t.ana, t.toby.id, { since: NOW, ...place, ...REST }, NOW)).case.shown
    }
    const first = await at(0)
    for (const metres of [150, 280, -280]) assert.equal(await at(metres), first, String(metres))
    const moved = await at(420)
    assert.not.equal(moved, first)
    assert.equal(await at(300), moved)
  },
)

owners('an open case from before circles were remembered keeps its point', async (t) => {
  await addLostCase(t.db, { dogId: t.toby.id, ownerId: t.ana.id })
  const others = { shown_lat: 40.3093, shown_lon: -3.7338 }
  await update(t.db, 'lost_cases', {}, { ...HOME, ...others })
  for (const n of [1, 2, 3]) {
    const place = { ...readingOf(n), zone: null }
    const { shown } = (await saveLostCase(t.db, t.ana, t.toby.id, { since: NOW, ...place, ...REST }, NOW)).case
    assert.equal(shown, { lat: others.shown_lat, lon: others.shown_lon })
  }
  assert.equal((await mark(t, t.ana, t.luna)).shown, { lat: others.shown_lat, lon: others.shown_lon })
})

owners('the offset is no number of Math.random, which others can compute', () => {
  const { random } = Math
  Math.random = () => 0
  try {
    assert.not.equal(randomOffset(), randomOffset())
  } finally {
    Math.random = random
  }
})

const DOOR = { lat: 40.42101, lon: -3.68301 }

owners('an owner’s places are moved alike each time, within the bounds', () => {
  for (let n = 0; n < 200; n++) {
    const owner = randomUUID()
    const shown = moveBy(DOOR, offsetOf(owner))
    assert.equal(moveBy(DOOR, offsetOf(owner)), shown)
    const metres = 1000 * distanceKm(DOOR, shown)
    assert.ok(metres >= OFFSET_MIN_M && metres <= OFFSET_MAX_M, String(metres))
  }
})
