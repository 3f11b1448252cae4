import { deleteDogRows } from '#features/dogs/empty-dog.server.ts'
import { confirmStillLost, findOwnCase, findPrefill, saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase, hasPastCase } from '#features/lost/end-case.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import type { LostInput } from '#features/lost/lost-input.ts'
import { findDogByCode, findLostMarks, findOpenCase, wasThanked } from '#features/lost/open-cases.server.ts'
import { deleteExpiredLostRows } from '#features/lost/retention.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { distanceKm } from '#lib/geo.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { assert, type CurrentUser, dbSuite, dog, member, refusal, seed } from '#tests/support/suites.ts'
import { readAlertedCase } from '#features/lost/alerts/alerted-case.server.ts'
import { getSightableCase } from '#features/sightings/add.server.ts'
import { findSightedDog } from '#features/sightings/sighted-dog.server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'

const cases = dbSuite('unit/lost/cases', { ana: member(), toby: dog({ name: 'Toby' }) })

const NOW = Date.UTC(2026, 10, 27, 12)
const HOME = { lat: 40.416812, lon: -3.703816 }
const input = (fields: Partial<LostInput> = {}): LostInput => ({
  since: NOW - HOUR_MS,
  zone: 'Getafe',
  lat: null,
  lon: null,
  help: '',
  chip: null,
  ...fields,
})
const atPoint = (point = HOME, fields: Partial<LostInput> = {}) => input({ zone: null, ...point, ...fields })

cases('a zone is stored as the gazetteer names it, and its point is shown', async ({ db, ana, toby }) => {
  const { case: lost, isNew } = await saveLostCase(db, ana, toby.id, input({ help: 'Tiene miedo.', chip: true }), NOW)
  assert.equal([isNew, lost.zone, lost.province, lost.point], [true, 'Getafe, Madrid', '28', null])
  assert.ok(distanceKm(lost.shown, { lat: 40.305, lon: -3.73 }) < 5)
  assert.equal([lost.help, lost.chip], ['Tiene miedo.', true])
  assert.match(lost.code, /^[2-9a-hjkmnp-z]{6}$/)
})

cases('a point is moved once, by 100 to 400 metres, whenever it is saved again', async ({ db, ana, toby }) => {
  const { case: first } = await saveLostCase(db, ana, toby.id, atPoint(), NOW)
  assert.equal(first.point, HOME)
  const metres = distanceKm(first.shown, HOME) * 1000
  assert.ok(metres > 90 && metres < 410, String(metres))
  assert.equal([first.zone.endsWith(', Madrid'), first.province], [true, '28'])
  const { case: again, isNew } = await saveLostCase(db, ana, toby.id, atPoint(), NOW + 1)
  assert.equal([isNew, again.shown], [false, first.shown])
  await endLostCase(db, ana, toby.id, 'other', { now: NOW + 2 })
  const reopened = await saveLostCase(db, ana, toby.id, atPoint(), NOW + 29 * DAY_MS)
  assert.equal(reopened.case.shown, first.shown, 'several circles would have a middle')
  assert.is.not(reopened.case.code, first.code)
})

cases('thirty days after its end nothing is left of a case but its circle', async ({ db, ana, toby }) => {
  const { case: first } = await saveLostCase(db, ana, toby.id, atPoint(), NOW)
  await endLostCase(db, ana, toby.id, 'home', { now: NOW })
  // The row that counts dogs of which members were alerted.
  await deleteExpiredLostRows(db, NOW + 30 * DAY_MS)
  assert.is(await deleteExpiredRows(db, NOW + 30 * DAY_MS, ['lost_alerted_dogs']), 1)
  assert.not.ok(await hasPastCase(db, ana.id, toby.id))
  const { case: later } = await saveLostCase(db, ana, toby.id, atPoint(), NOW + 31 * DAY_MS)
  assert.equal(later.shown, first.shown)
})

cases('what others see has no exact point', async ({ db, ana, toby }) => {
  await saveLostCase(db, ana, toby.id, atPoint(), NOW)
  const shown = JSON.stringify([await findOpenCase(db, toby.id), [...(await findLostMarks(db, [toby.id]))]])
  assert.not.match(shown, /40\.41681|3\.70381|point/)
  assert.equal((await findOwnCase(db, ana, toby.id))?.point, HOME)
})

cases('only the owner of a dog in the lists may mark it', async ({ db, ana, toby }) => {
  const [eva, found] = await seed(db, member(), dog({ owner_id: null, discoverer_id: ana.id }))
  const save = (user: CurrentUser | null, id: string) => refusal(saveLostCase(db, user, id, input(), NOW))
  assert.equal([(await save(null, toby.id))[0], (await save(eva, toby.id))[0]], [401, 403])
  assert.is((await save(ana, found.id))[0], 403, 'its discoverer')
  assert.is((await save(ana, ana.id))[0], 404)
  await ban(db, ana.id, { until: null, reason: 'Insultos.' })
  assert.is((await save(ana, toby.id))[0], 403)
})

const WRONG: Record<string, [Partial<LostInput>, string]> = {
  'a time that has not come': [{ since: NOW + DAY_MS }, 'since'],
  'a time of three years ago': [{ since: NOW - 3 * 365 * DAY_MS }, 'since'],
  'no place': [{ zone: '' }, 'zone'],
  'two places': [HOME, 'zone'],
  'a place that is nowhere': [{ zone: 'Xyzwvut' }, 'zone'],
  'a whole region': [{ zone: 'Andalucía' }, 'zone'],
  'half a point': [{ zone: null, lat: 40.4 }, 'lon'],
  'a point at sea': [{ zone: null, lat: 40, lon: -30 }, 'lat'],
  'a point at the pole': [{ zone: null, lat: 90, lon: 0 }, 'lat'],
  'an offer of sale': [{ help: 'Se vende' }, 'help'],
}
for (const [what, [fields, field]] of Object.entries(WRONG))
  cases(`${what} is refused at its field, and nothing is written`, async ({ db, ana, toby }) => {
    const error = await saveLostCase(db, ana, toby.id, input(fields), NOW).then(
      () => null,
      (thrown: { status: number; errors: Record<string, string> }) => thrown,
    )
    assert.equal([error?.status, Object.keys(error?.errors ?? {})], [422, [field]])
    assert.is((await db.selectFrom('lost_history').selectAll().execute()).length, 0)
    assert.is(await findOpenCase(db, toby.id), null)
  })

cases('the end deletes the case; a banned owner may end it, a stranger may not', async ({ db, ana, toby }) => {
  const [eva] = await seed(db, member())
  const { case: lost } = await saveLostCase(db, ana, toby.id, atPoint(HOME, { help: 'Tiene miedo.' }), NOW)
  assert.equal(await findDogByCode(db, lost.code), { path_breed: 'beagle', path_slug: 'toby' })
  assert.is((await refusal(endLostCase(db, eva, toby.id, 'home')))[0], 403)
  await ban(db, ana.id, { until: null, reason: 'Insultos.' })
  await endLostCase(db, ana, toby.id, 'home', { thanks: true, now: NOW + 1 })
  assert.is(await findOpenCase(db, toby.id), null)
  assert.is(await findDogByCode(db, lost.code), null)
  assert.is(await wasThanked(db, toby.id), true)
  assert.is(await findPrefill(db, ana.id, toby.id), null)
  const rows = await db.selectFrom('lost_history').selectAll().execute()
  assert.not.match(JSON.stringify(rows), /40\.41681|3\.70381|miedo/)
  assert.is((await refusal(endLostCase(db, ana, toby.id, 'home')))[0], 404, 'there is nothing left to end')
})

cases('a dog that is deleted, and an account that is erased, leave nothing', async ({ db, ana, toby }) => {
  await saveLostCase(db, ana, toby.id, atPoint(), NOW)
  await deleteDogRows(db, toby.id)
  const count = async () =>
    (await db.selectFrom('lost_cases').select('id').execute()).length +
    (await db.selectFrom('lost_history').select('dog_id').execute()).length
  assert.is(await count(), 0)
  const [luna] = await seed(db, dog({ owner_id: ana.id }))
  await saveLostCase(db, ana, luna.id, atPoint(), NOW)
  await eraseRows(db, ana.id)
  assert.is(await count(), 0)
})

cases('a case is out of sight while its owner has no part in the dog', async ({ db, ana, toby }) => {
  const { case: lost } = await saveLostCase(db, ana, toby.id, input(), NOW)
  const setOwner = (owner_id: string | null) =>
    db.updateTable('dogs_all').set({ owner_id }).where('id', '=', toby.id).execute()
  await setOwner(null)
  assert.is(await findOpenCase(db, toby.id), null)
  assert.is(await findDogByCode(db, lost.code), null)
  assert.is((await findLostMarks(db, [toby.id])).size, 0)
  await setOwner(ana.id)
  assert.is((await findOpenCase(db, toby.id))?.id, lost.id)
  const [eva] = await seed(db, member())
  await setOwner(eva.id)
  assert.is(await findOpenCase(db, toby.id), null)
  const { case: second } = await saveLostCase(db, eva, toby.id, input(), NOW)
  assert.is.not(second.id, lost.id, 'the new owner opens one of their own')
})

cases('rows of dogs that are nowhere any more are deleted', async ({ db, ana, toby }) => {
  await saveLostCase(db, ana, toby.id, input(), NOW)
  assert.is(await deleteExpiredLostRows(db, NOW), 0)
  await db.deleteFrom('dogs_all').where('id', '=', toby.id).execute()
  assert.is(await deleteExpiredLostRows(db, NOW), 2)
})

cases('an answer without a question changes nothing', async ({ db, ana, toby }) => {
  assert.is((await refusal(confirmStillLost(db, ana, toby.id)))[0], 404)
  await saveLostCase(db, ana, toby.id, input(), NOW)
  const read = () => db.selectFrom('lost_cases').selectAll().execute()
  const before = await read()
  await confirmStillLost(db, ana, toby.id, NOW + 1)
  assert.equal(await read(), before)
})

cases(
  'a change of a case that has ended meanwhile opens none beside the limit of the day',
  async ({ db, ana, toby }) => {
    const change = { since: Date.now() - HOUR_MS, zone: 'Getafe', help: '', chip: null }
    await saveLostCase(db, ana, toby.id, change)
    assert.is((await saveLostCase(db, ana, toby.id, change, Date.now(), { mayOpen: false })).isNew, false)
    await endLostCase(db, ana, toby.id, 'other')
    assert.is((await refusal(saveLostCase(db, ana, toby.id, change, Date.now(), { mayOpen: false })))[0], 404)
    assert.is(await findOwnCase(db, ana, toby.id), null)
  },
)

cases(
  'nobody is alerted of a dog that its owner gave up, and no sighting of it reaches them',
  async ({ db, ana, toby }) => {
    const [bea] = await seed(db, member())
    // A job has not yet deleted it.
    const id = await addLostCase(db, { dog_id: toby.id, owner_id: ana.id })
    const read = () => readAlertedCase(db, id, Date.now())
    assert.equal([(await read())?.ownerId, (await findSightedDog(db, toby.id))?.caseId], [ana.id, id])
    for (const owner_id of [bea.id, null]) {
      await db.updateTable('dogs_all').set({ owner_id }).where('id', '=', toby.id).execute()
      assert.is(await read(), null)
      assert.is((await findSightedDog(db, toby.id))?.caseId, null)
      assert.is((await refusal(getSightableCase(db, toby.id, null)))[0], 409)
    }
  },
)
