import { connect } from 'node:net'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { openHub } from '#features/live/hub.server.ts'
import { REPLAY_BATCH_BYTES, REPLAY_LIMITS } from '#features/live/replay-limiter.server.ts'
import { eventsAfter } from '#features/live/live.server.ts'
import {
  connectReader,
  hubSuite,
  listIds,
  listStoredIds,
  publishDogRemoved,
  type World,
} from '#tests/support/live/hub-suite.ts'

const live = hubSuite('unit/live/replay-limits')

/** The hub once more, asked by whatever network a test says. */
async function reopenHub(w: World, replay: Partial<typeof REPLAY_LIMITS>) {
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5, replay: { ...REPLAY_LIMITS, ...replay } })
  const network = { now: '10.0.0.1' }
  w.server.removeAllListeners('request')
  w.server.on('request', (req, res) => w.hub.handle(req, res, network.now, () => res.writeHead(404).end()))
  return network
}

/** What who comes back hears, before anything new. */
async function replayAfter(w: World, after: number) {
  const reader = await connectReader(w, {}, `?after=${after}`)
  await reader.until((told) => told.length > 0)
  // Whatever else there is comes before the next event.
  const id = crypto.randomUUID()
  await publishDogRemoved(w.db, id)
  await reader.until((told) => told.at(-1)!.data.id === id)
  reader.close()
  return reader.told.slice(0, -1).map((event) => event.type)
}

live('one network receives a limited number of replayed bytes a minute, and then a resync', async (w) => {
  const bytes = JSON.stringify({ action: 'removed', id: crypto.randomUUID() }).length
  const network = await reopenHub(w, { bytesPerSite: 50 * bytes, bytesTotal: 70 * bytes })
  await publishDogRemoved(w.db, crypto.randomUUID())
  const [first] = await listStoredIds(w.db)
  assert.ok(first)
  for (let n = 0; n < 20; n++) await publishDogRemoved(w.db, crypto.randomUUID())
  assert.equal(await replayAfter(w, first), Array(20).fill('dog'))
  assert.equal(await replayAfter(w, first), Array(21).fill('dog'))
  // Of what weighs as much as fifty they have had 41.
  assert.equal(await replayAfter(w, first), ['resync'])
  // A few are still told, and who was not away asks for nothing.
  assert.equal(await replayAfter(w, (await listStoredIds(w.db)).at(-3)!), ['dog', 'dog'])
  network.now = '10.0.0.2'
  assert.equal(await replayAfter(w, first), Array(24).fill('dog'))
  // Of what weighs as much as seventy everybody together has had 67.
  network.now = '10.0.0.3'
  assert.equal(await replayAfter(w, first), ['resync'])
  assert.equal(await replayAfter(w, (await listStoredIds(w.db)).at(-3)!), ['dog', 'dog'])
})

live('large events are read and sent a few at a time, complete and in order', async (w) => {
  for (let n = 0; n < 40; n++) await publishDogRemoved(w.db, `${n} ${'x'.repeat(20_000)}`)
  const sizes = []
  for (let position = 0, rows; ; position = rows.at(-1)!.id) {
    rows = await eventsAfter(w.db, position, 500, REPLAY_BATCH_BYTES)
    if (rows.length === 0) break
    sizes.push(rows.length)
  }
  assert.equal(sizes, [...Array(13).fill(3), 1])
  assert.is((await eventsAfter(w.db, 0, 500, 1)).length, 1, 'one at least')
  await publishDogRemoved(w.db, 'y'.repeat(REPLAY_BATCH_BYTES * 2))
  const reader = await connectReader(w, {}, `?after=${(await listStoredIds(w.db))[0]}`)
  await reader.until((told) => told.length === 40)
  assert.equal(
    listIds(reader).map((id) => id.split(' ')[0]!.slice(0, 2)),
    [...Array.from({ length: 39 }, (_, n) => String(n + 1)), 'yy'],
  )
})

live('readers that do not read their replay are limited, and one of the largest network is evicted', async (w) => {
  for (let n = 0; n < 300; n++) await publishDogRemoved(w.db, 'x'.repeat(50_000))
  const network = await reopenHub(w, { maxStuckReaders: 4 })
  const [first] = await listStoredIds(w.db)
  const stuck = async (ip: string) => {
    network.now = ip
    const asked = once(w.server, 'request')
    const socket = connect(Number(new URL(w.url).port), '127.0.0.1')
    const state = { isCut: false, socket }
    socket.on('error', () => {}).on('close', () => (state.isCut = true))
    socket.write(`GET /api/events?after=${first} HTTP/1.1\r\nHost: x\r\n\r\n`)
    socket.pause()
    const [, res] = await asked
    res.on('close', () => (state.isCut = true))
    // Fifteen megabytes are more than the connection holds.
    for (let last = -1; !state.isCut && (last !== res.socket?.bytesWritten || res.writableLength === 0);) {
      last = res.socket?.bytesWritten
      await new Promise((done) => setTimeout(done, 100))
    }
    return state
  }
  const honest = await stuck('10.0.0.2')
  const greedy: Awaited<ReturnType<typeof stuck>>[] = []
  for (let n = 0; n < 6; n++) greedy.push(await stuck('10.0.0.1'))
  const cut = () => greedy.filter(({ isCut }) => isCut).length
  for (let n = 0; cut() < 3 && n < 3000; n++) await new Promise((done) => setTimeout(done, 10))
  assert.equal(
    greedy.map(({ isCut }) => isCut),
    [true, true, true, false, false, false],
    'the oldest of the greedy one',
  )
  assert.is(honest.isCut, false)
  network.now = '10.0.0.3'
  const reader = await connectReader(w, {}, `?after=${first}`)
  await reader.until((told) => told.length === 299)
  for (const { socket } of [honest, ...greedy]) socket.destroy()
})

live.run()
