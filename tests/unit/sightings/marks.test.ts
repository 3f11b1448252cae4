import { randomUUID } from 'node:crypto'
import { addSighting } from '#features/sightings/add.server.ts'
import { judgeSighting } from '#features/sightings/judge.server.ts'
import { listSightingMarks } from '#features/sightings/marks.server.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, dbSuite, dog, member, pick, refusal, type WorldOf } from '#tests/support/suites.ts'

const marks = dbSuite(
  'unit/sightings/marks',
  { luis: member(), ana: member(), toby: dog() },
  async ({ db, ana, toby }) => {
    const dogId = toby.id
    await addLostCase(db, { dogId: toby.id, ownerId: ana.id, since: Date.now() - 5 * HOUR_MS })
    return { dogId }
  },
)
type World = WorldOf<typeof marks>

const add = ({ db, dogId }: World, minutesAgo: number, place: { lat: number; lon: number } | string) =>
  addSighting(db, {
    dogId,
    input: {
      at: Date.now() - minutesAgo * MINUTE_MS,
      point: typeof place === 'string' ? null : place,
      zone: typeof place === 'string' ? place : 'Getafe, Madrid',
      words: '',
    },
    photo: null,
    userId: null,
    network: randomUUID(),
  })

marks(
  'numbers follow the time of the sightings, not of their arrival; a named place is drawn at its middle',
  async (t) => {
    const last = await add(t, 10, { lat: 40.32, lon: -3.72 })
    const first = await add(t, 200, { lat: 40.31, lon: -3.71 })
    const named = await add(t, 60, 'Leganés, Madrid')
    const { marks: found, home } = await listSightingMarks(t.db, t.ana, t.dogId)
    assert.equal(pick(found, 'id', 'number'), [
      [first.id, 1],
      [named.id, 2],
      [last.id, 3],
    ])
    assert.equal(found[0]!.point, { lat: 40.31, lon: -3.71 })
    assert.ok(found[1]!.isApproximate)
    assert.ok(Math.abs(found[1]!.point!.lat - 40.33) < 0.05)
    assert.equal(home, { lat: 40.30571, lon: -3.73291, isApproximate: false })
  },
)

marks('a refused one keeps its number and is not drawn; one that waits for the admin has neither', async (t) => {
  const refused = await add(t, 100, { lat: 40.31, lon: -3.71 })
  const reported = await add(t, 80, { lat: 40.31, lon: -3.71 })
  const kept = await add(t, 60, { lat: 40.32, lon: -3.72 })
  await judgeSighting(t.db, t.ana, refused.id, 'refuse', { network: '198.51.100.1' })
  await judgeSighting(t.db, t.ana, reported.id, 'report', { network: '198.51.100.1' })
  const { marks: found } = await listSightingMarks(t.db, t.ana, t.dogId)
  assert.equal(
    found.map(({ id, number, point }) => [id, number, point !== null]),
    [
      [refused.id, 1, false],
      [kept.id, 2, true],
    ],
  )
})

marks('a case of a zone has its circle, and nobody else gets any of it', async (t) => {
  await t.db.updateTable('lost_cases').set({ lat: null, lon: null }).execute()
  const { home } = await listSightingMarks(t.db, t.ana, t.dogId)
  assert.equal(home, { lat: 40.307, lon: -3.735, isApproximate: true })
  assert.is((await refusal(listSightingMarks(t.db, t.luis, t.dogId)))[0], 403)
  assert.is((await refusal(listSightingMarks(t.db, null, t.dogId)))[0], 401)
})
