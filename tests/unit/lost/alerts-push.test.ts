import { saveLostAlerts } from '#features/lost/alerts/alert-settings.server.ts'
import { endedAlerts } from '#features/lost/alerts/ended-alerts.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { lostAlerts } from '#features/lost/alerts/send-alerts.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { saveSettings } from '#features/notifications/push/settings.server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import {
  type Context,
  HOUR,
  listBodies,
  listQueued,
  MINUTE,
  notifyAna,
  senderSuite,
  subscribeDevice,
} from '#tests/support/notifications/sender-suite.ts'
import { assert, dog, member, seed } from '#tests/support/suites.ts'

const pushes = senderSuite('unit/lost/alerts-push')

/** Ana waits for lost dogs in Getafe. */
const wait = ({ db, ana }: Context, fields: { breaks_quiet?: boolean; by_push?: boolean } = {}) =>
  saveLostAlerts(db, ana, {
    zone: 'Getafe',
    radius_km: 5,
    breaks_quiet: false,
    by_mail: false,
    by_push: true,
    ...fields,
  })

async function loseDog({ db, clock }: Context): Promise<string> {
  const [owner, lost] = await seed(db, member(), dog({ name: 'Nube' }))
  const id = await addLostCase(db, { dog_id: lost.id, owner_id: owner.id, opened_at: clock.now })
  await runDueJobs(db, [lostAlerts], { now: clock.now })
  return id
}

pushes('an alert is pushed with the dog’s photo', async (t) => {
  await wait(t)
  await subscribeDevice(t, t.ana)
  await loseDog(t)
  await t.sender.flush()
  assert.is(t.stub.received.length, 1)
  const { message } = t.stub.received[0]!
  assert.match(message.title, 'Perro perdido cerca')
  assert.match(message.body, 'Se ha perdido Nube cerca de Getafe, Madrid, a menos de 2 km de tu zona.')
  assert.match(message.image ?? '', /^\/_ipx\/[^/]+\/photos\/[\w-]+\.jpg$/)
})

pushes('other notifications come without a photo', async (t) => {
  await subscribeDevice(t, t.ana)
  await notifyAna(t)
  await t.sender.flush()
  assert.is(t.stub.received[0]!.message.image, undefined)
})

pushes('it waits for the end of quiet hours', async (t) => {
  await wait(t)
  await subscribeDevice(t, t.ana)
  // Midnight in Madrid.
  t.clock.now += 12 * HOUR
  await loseDog(t)
  await t.sender.flush()
  assert.equal([listBodies(t), (await listQueued(t)).map(({ held }) => held)], [[], [1]])
  t.clock.now += 8 * HOUR
  await t.sender.flush()
  assert.is(listBodies(t).length, 1)
})

pushes('who says so is alerted in quiet hours, and of nothing else', async (t) => {
  await wait(t, { breaks_quiet: true })
  await subscribeDevice(t, t.ana)
  t.clock.now += 12 * HOUR
  await notifyAna(t)
  await loseDog(t)
  await t.sender.flush()
  assert.equal([listBodies(t).length, (await listQueued(t)).map(({ held }) => held)], [1, [1]])
  assert.match(listBodies(t)[0]!, 'Nube')
  t.clock.now += 8 * HOUR
  await t.sender.flush()
  assert.equal([listBodies(t)[1], await listQueued(t)], ['Hola', []])
})

pushes('who wants no pushes gets the bell alone', async (t) => {
  await wait(t, { by_push: false, breaks_quiet: true })
  await subscribeDevice(t, t.ana)
  await loseDog(t)
  await t.sender.flush()
  const lines = await t.db.selectFrom('notifications').select('topic').where('user_id', '=', t.ana.id).execute()
  assert.equal([t.stub.requests, lines.length], [0, 1])
})

pushes('it is sent to who turned «Lo demás» off and these on', async (t) => {
  await wait(t)
  await saveSettings(t.db, t.ana, { ...DEFAULT_SETTINGS, others: false })
  await subscribeDevice(t, t.ana)
  await notifyAna(t)
  await loseDog(t)
  await t.sender.flush()
  assert.is(listBodies(t).length, 1)
  assert.match(listBodies(t)[0]!, 'Nube')
})

pushes('a dog that is home before the push goes out is not pushed', async (t) => {
  await wait(t)
  await subscribeDevice(t, t.ana)
  t.clock.now += 12 * HOUR
  const id = await loseDog(t)
  await t.sender.flush()
  await t.db.deleteFrom('lost_cases').where('id', '=', id).execute()
  await runDueJobs(t.db, [endedAlerts])
  t.clock.now += 8 * HOUR + MINUTE
  await t.sender.flush()
  assert.equal([t.stub.requests, await listQueued(t)], [0, []])
})
