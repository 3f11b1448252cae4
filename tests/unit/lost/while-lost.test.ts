import { openThread } from '#features/contact/threads.server.ts'
import { hideDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { deleteDogRows } from '#features/dogs/empty-dog.server.ts'
import { matchNotice } from '#features/found/matching.server.ts'
import { saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { endedAlerts } from '#features/lost/alerts/ended-alerts.server.ts'
import { lostAlerts } from '#features/lost/alerts/send-alerts.server.ts'
import { LOST_MAILS, lostMails } from '#features/lost/alerts/send-mails.server.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import { findDogByCode, findOpenCase } from '#features/lost/open-cases.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { listSightings } from '#features/sightings/list.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { countJobs, ringDue } from '#tests/support/jobs.ts'
import { keptMails } from '#tests/support/notifications/kept-mails.ts'
import { type CurrentUser, dog, type Dog, member, seed } from '#tests/support/seed.ts'
import { assert, dbSuite, type DbWorld, refusal } from '#tests/support/suites.ts'

interface World extends DbWorld {
  /** Looks for Toby. */
  ana: CurrentUser
  /** Is alerted, and has seen Toby. */
  luis: CurrentUser
  toby: Dog
  code: string
  /** Their conversation. */
  thread: string
  now: number
}
const lost = dbSuite<World>('unit/lost/while-lost')
lost.before.each(async (t) => {
  t.now = Date.now()
  ;[t.luis, t.ana, t.toby] = await seed(t.db, member(), member(), dog({ name: 'Toby' }))
  await saveLostAlerts(t.db, t.luis, {
    zone: 'Getafe',
    radius_km: 10,
    breaks_quiet: false,
    by_mail: true,
    by_push: true,
  })
})

const lose = async ({ db, ana, toby, now }: World) =>
  saveLostCase(db, ana, toby.id, { since: now - HOUR_MS, zone: 'Getafe', lat: null, lon: null, help: '', chip: null })
const see = ({ db, luis, toby, now }: World) =>
  addSighting(db, {
    dogId: toby.id,
    input: { at: now, point: null, zone: 'Getafe, Madrid', words: '' },
    photo: null,
    userId: luis.id,
    network: '203.0.113.7',
  })
const { mailer } = keptMails()
/** No mail goes out. */
mailer.send = () => Promise.reject(new Error('ECONNREFUSED'))
/** Toby is announced, seen, talked about and like a found dog. */
async function searchToby(t: World): Promise<void> {
  const { case: saved } = await lose(t)
  t.code = saved.code
  await runDueJobs(t.db, [lostAlerts])
  await see(t)
  const about = { lostCaseId: saved.id, memberId: t.ana.id, finder: { userId: t.luis.id } }
  t.thread = (await openThread(t.db, about)).id
  await postMessage(t.db, 'finder', t.thread, 'Está junto al río.')
  const place = { shown_lat: saved.shown.lat, shown_lon: saved.shown.lon }
  await matchNotice(t.db, await addNotice(t.db, place))
}
const bellOf = async ({ db }: World, { id }: CurrentUser) =>
  (await listNotifications(db, id)).notifications.map(({ title }) => title)

lost('a dog that is deleted while it is lost takes everything of its search along', async (t) => {
  await searchToby(t)
  assert.equal(await bellOf(t, t.luis), ['Perro perdido cerca'])
  await t.db.transaction().execute((trx) => deleteDogRows(trx, t.toby.id))
  await runDueJobs(t.db, [endedAlerts, lostMails(mailer)])
  for (const table of [
    'lost_cases',
    'lost_history',
    'sightings_all',
    'contact_threads',
    'contact_messages',
    'found_matches',
  ] as const)
    assert.equal(await t.db.selectFrom(table).selectAll().execute(), [], table)
  for (const { name } of [lostAlerts, endedAlerts, lostMails(mailer)]) assert.is(await countJobs(t.db, name), 0, name)
  assert.equal([await bellOf(t, t.luis), await findDogByCode(t.db, t.code)], [[], null])
  assert.is((await refusal(see(t)))[0], 404)
})

lost('a dog that is hidden while it is lost is out of sight, and its search is there again with it', async (t) => {
  await searchToby(t)
  await t.db.transaction().execute((trx) => hideDog(trx, t.toby.id, 'admin'))
  assert.equal([await findOpenCase(t.db, t.toby.id), await findDogByCode(t.db, t.code)], [null, null])
  assert.is((await refusal(see(t)))[0], 404)
  assert.is((await refusal(listSightings(t.db, t.ana, t.toby.id)))[0], 404)
  assert.is((await refusal(postMessage(t.db, 'finder', t.thread, '¿Hola?')))[0], 403)
  assert.is(await matchNotice(t.db, await addNotice(t.db, { shown_lat: 40.3, shown_lon: -3.73 })), 0)
  await t.db.transaction().execute((trx) => showDog(trx, t.toby.id))
  assert.ok(await findOpenCase(t.db, t.toby.id))
  assert.is((await listSightings(t.db, t.ana, t.toby.id)).sightings.length, 1)
  await see(t)
})

lost('an owner who is banned while their dog is lost reaches nobody more, and may end the search', async (t) => {
  const { case: saved } = await lose(t)
  await ban(t.db, t.ana.id, { until: null, reason: 'Insultos.' })
  assert.is(await ringDue(t.db, lostAlerts), 0)
  assert.equal([(await refusal(see(t)))[0], (await refusal(lose(t)))[0]], [403, 403])
  assert.is((await findOpenCase(t.db, t.toby.id))?.id, saved.id, 'the dog is still to be found')
  await endLostCase(t.db, t.ana, t.toby.id, 'home')
  assert.is(await findOpenCase(t.db, t.toby.id), null)
})

lost('without push and mail the bell tells of alerts and sightings, and nothing waits for long', async (t) => {
  await t.db.updateTable('users').set({ email: null }).where('id', '=', t.luis.id).execute()
  await searchToby(t)
  assert.equal(await bellOf(t, t.luis), ['Perro perdido cerca'])
  assert.ok((await bellOf(t, t.ana)).includes('Un avistamiento'))
  assert.ok((await countJobs(t.db, LOST_MAILS)) > 0)
  await runDueJobs(t.db, [lostMails(mailer)])
  assert.is(await countJobs(t.db, LOST_MAILS), 0)
})

lost('a mail server that is unavailable for a day keeps no mail for later', async (t) => {
  await searchToby(t)
  await runDueJobs(t.db, [lostMails(mailer)])
  assert.is(await countJobs(t.db, LOST_MAILS), 1)
  await runDueJobs(t.db, [lostMails(mailer)], { now: t.now + DAY_MS + HOUR_MS })
  assert.is(await countJobs(t.db, LOST_MAILS), 0)
})
