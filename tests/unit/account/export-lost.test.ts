import {
  exportMessageMails,
  exportMessages,
  exportReportedMessages,
} from '#features/account/export/export-messages.server.ts'
import { exportSightings } from '#features/account/export/export-sightings.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, pick, seed } from '#tests/support/suites.ts'

const exported = dbSuite('unit/account/export-lost')

exported(
  'sightings that the member sent come first, then those of others; their own of their own dog once',
  async ({ db }) => {
    const [luis, nube, ana, toby] = await seed(db, member(), dog(), member(), dog())
    await addLostCase(db, { dogId: toby.id, ownerId: ana.id, since: Date.now() - 2 * HOUR_MS })
    await addLostCase(db, { dogId: nube.id, ownerId: luis.id, since: Date.now() - 2 * HOUR_MS })
    const send = (dogId: string, userId: string | null, words: string, hours: number) => {
      const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words }
      return addSighting(db, { dogId, input, photo: null, userId, network: '192.0.2.7' }, Date.now() - hours * HOUR_MS)
    }
    await send(toby.id, luis.id, 'de otro', 1)
    await send(toby.id, null, 'sin cuenta', 0.7)
    await send(toby.id, ana.id, 'suyo', 0.5)
    await send(nube.id, ana.id, 'enviado', 0.2)
    const list = await Array.fromAsync(exportSightings(db, ana.id))
    assert.equal(pick(list, 'palabras', 'enviado_por_ti'), [
      ['suyo', true],
      ['enviado', true],
      ['de otro', false],
      ['sin cuenta', false],
    ])
  },
)

onlyOnSqlite(exported)('what two members share is read by an index of each side', async ({ db }) => {
  const [ana] = await seed(db, member())
  const plans = await explainQueries(db, async (listening) => {
    for (const list of [exportSightings, exportMessages, exportMessageMails, exportReportedMessages])
      await Array.fromAsync<object>(list(listening, ana.id))
  })
  const steps = plans.map((plan) => plan.steps.join('\n'))
  const indexes = [
    'sightings_member',
    'lost_cases_owner',
    'contact_threads_member',
    'contact_threads_finder',
    'contact_threads_member',
    'contact_threads_finder',
    'reported_messages_writer',
    'reported_messages_reporter',
  ]
  assert.is(steps.length, indexes.length)
  for (const [n, index] of indexes.entries()) {
    assert.match(steps[n]!, new RegExp(`USING (COVERING )?INDEX ${index} `))
    assert.not.match(steps[n]!, /SCAN|MULTI-INDEX OR/)
  }
})
