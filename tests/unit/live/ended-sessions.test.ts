import { openHub } from '#features/live/hub.server.ts'
import { publish } from '#features/live/live.server.ts'
import { connectReader, hubSuite, listStoredIds, publishDogRemoved } from '#tests/support/live/hub-suite.ts'
import { assert, member, seed } from '#tests/support/suites.ts'

// A stream outlives the request that opened it, and may outlive its session.

const live = hubSuite('unit/live/ended-sessions')

live('a stream whose session has ended is sent nothing that is for its member alone, and ends', async (w) => {
  const [ana] = await seed(w.db, member())
  const tell = () => publish(w.db, { type: 'notification', userId: ana.id })
  await publishDogRemoved(w.db, '1')
  const hers = await connectReader(w, { 'x-user': ana.id })
  await tell()
  await hers.until((told) => told.length === 1)
  w.signedOut.add(ana.id)
  await tell()
  await hers.ended
  assert.is(hers.told.length, 1)
})

live('a session that ends while its stream receives the history is sent no more of it', async (w) => {
  const [ana] = await seed(w.db, member())
  await publish(w.db, { type: 'notification', userId: ana.id })
  const [first] = await listStoredIds(w.db)
  w.hub.close()
  let asked = 0
  w.hub = await openHub(w.db, { identify: async () => (asked++ === 0 ? ana.id : null), tickMs: 5 })
  const response = await fetch(w.url, { headers: { 'Last-Event-ID': String(first! - 1) } })
  assert.not.match(await response.text(), 'notification')
})
