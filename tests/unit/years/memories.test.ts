import { transact } from '#db/transact.ts'
import { createSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { readSettings, saveSettings, stopMemories } from '#features/notifications/push/settings.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { memories as topic, selectMemorableDogs } from '#features/years/memories.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { ringDue } from '#tests/support/jobs.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, type CurrentUser, type Db, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'
import { insert } from '#tests/support/rows.ts'

const at = (time: string) => Date.parse(time)
const NOON = at('2026-11-26T11:00:00Z')
const YEAR_AGO = at('2025-11-26T15:00:00Z')

const memories = dbSuite('unit/years/memories', { bea: member(), ana: member() })

const send = (db: Db, now: number) => ringDue(db, topic, { now })
const textsOf = async (db: Db, userId: string) =>
  (await listNotifications(db, userId)).notifications.map(({ content }) => content)

/** A device that would be sent what the bell says. */
async function addDevice(db: Db, { id }: CurrentUser): Promise<void> {
  const session_id = toSessionId((await createSession(db, id)).token)
  const device = { endpoint: 'https://push.example/ana', p256dh: 'x', auth: 'x' }
  await insert(db, 'push_subscriptions', { id: 'ana', user_id: id, session_id, ...device, created_at: 1 })
}

memories('each member is told once of the first dog of that day', async ({ db, ana, bea }) => {
  await seed(
    db,
    dog({ owner_id: ana.id, name: 'Toby', created_at: at('2025-11-25T23:00:00Z') }),
    dog({ owner_id: ana.id, discoverer_id: bea.id, name: 'Luna', created_at: YEAR_AGO }),
    dog({ owner_id: bea.id, name: 'De ayer', created_at: at('2025-11-25T22:59:59Z') }),
    dog({ owner_id: bea.id, name: 'De mañana', created_at: at('2025-11-26T23:00:00Z') }),
    dog({ owner_id: null, user_id: null, name: 'De nadie', created_at: YEAR_AGO }),
  )
  await addDevice(db, ana)
  assert.is(await send(db, at('2026-11-26T08:59:00Z')), 0, 'not before ten')
  assert.is(await send(db, NOON), 2)
  assert.equal(await textsOf(db, ana.id), ['Hace un año llegó al álbum Toby.'])
  assert.equal(await textsOf(db, bea.id), ['Hace un año llegó al álbum Luna.'])
  const [notification] = (await listNotifications(db, ana.id)).notifications
  assert.equal([notification?.title, notification?.topic], ['Tal día como hoy', 'memory'])
  assert.equal(await db.selectFrom('push_queue').selectAll().execute(), [], 'it goes to no device')
  assert.equal([await send(db, NOON + 60_000), await send(db, NOON + 11 * 60_000)], [0, 0])
})

memories('two nodes at once tell nobody twice', async ({ db, ana }) => {
  await seed(db, ...Array.from({ length: 30 }, (_, i) => dog({ owner_id: ana.id, created_at: YEAR_AGO + i })))
  await Promise.all([1, 2].map(() => runDueJobs(db, [topic], { now: NOON })))
  assert.is((await textsOf(db, ana.id)).length, 1)
})

memories('the 29th of February is remembered on the 28th', async ({ db, ana, bea }) => {
  await seed(
    db,
    dog({ owner_id: ana.id, created_at: at('2028-02-29T12:00:00Z') }),
    dog({ owner_id: bea.id, created_at: at('2027-03-01T12:00:00Z') }),
  )
  assert.is(await send(db, at('2028-02-29T12:00:00Z')), 0)
  assert.is(await send(db, at('2028-03-01T12:00:00Z')), 1, 'once')
  assert.equal([await send(db, at('2029-02-28T12:00:00Z')), await send(db, at('2029-03-01T12:00:00Z'))], [1, 0])
})

memories('hidden dogs, and dogs of who has blocked the other, are remembered to nobody', async ({ db, ana, bea }) => {
  const [hidden] = await seed(
    db,
    dog({ owner_id: ana.id, created_at: YEAR_AGO }),
    dog({ owner_id: ana.id, discoverer_id: bea.id, created_at: YEAR_AGO + 1 }),
  )
  await transact(db, (trx) => hideDog(trx, hidden.id, 'reports', NOON))
  await transact(db, (trx) => addBlock(trx, bea, ana.id, NOON))
  assert.is(await send(db, NOON), 0)
})

memories('one press switches it off, and the preferences on again', async ({ db, ana }) => {
  await seed(db, dog({ owner_id: ana.id, created_at: YEAR_AGO }))
  await saveSettings(db, ana, { ...DEFAULT_SETTINGS, likes: false })
  await stopMemories(db, ana)
  assert.equal(await readSettings(db, ana.id), { ...DEFAULT_SETTINGS, likes: false, memories: false })
  assert.is(await send(db, NOON), 0)
  const { memories: _memories, ...fromBefore } = DEFAULT_SETTINGS
  await saveSettings(db, ana, fromBefore)
  assert.is((await readSettings(db, ana.id)).memories, false, 'a program from before does not switch it on')
  await saveSettings(db, ana, DEFAULT_SETTINGS)
  assert.is((await readSettings(db, ana.id)).memories, true)
})

onlyOnSqlite(memories)('the dogs of a day are found by their index', async ({ db }) => {
  const range = { from: YEAR_AGO, to: YEAR_AGO + 1 }
  const plans = await explainQueries(db, (listening) =>
    selectMemorableDogs(listening, range, { at: 0, id: '' }, 25).execute(),
  )
  assert.match(
    plans[0]!.steps.join('\n'),
    /SEARCH dogs_all USING INDEX dogs_created \(created_at>\? AND created_at<\?\)/,
  )
})
