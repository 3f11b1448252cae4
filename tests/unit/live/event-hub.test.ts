import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countStatements, type Db } from '#db/client.ts'
import { type Hub, openHub } from '#features/live/hub.server.ts'
import { REPLAY_BATCH_BYTES, REPLAY_LIMITS } from '#features/live/replay-limiter.server.ts'
import { MAX_RETAINED_EVENTS, eventsAfter, lastEventId, publish, deleteOldEvents } from '#features/live/live.server.ts'
import type { DogEvent } from '#features/live/live.ts'
import { freshDb } from '#tests/support/db.ts'
import { openEventStream, type StreamReader } from '#tests/support/live/event-stream.ts'
import { member, seed } from '#tests/support/seed.ts'
import { readSource } from '#tests/support/sources.ts'

interface World {
  db: Db
  hub: Hub
  url: string
  server: Server
  readers: StreamReader[]
  /** Who a request is, by its `x-user` header; a test may sign somebody out. */
  signedOut: Set<string>
}

const live = suite<World>('live')

live.before.each(async (w) => {
  w.db = freshDb()
  w.readers = []
  w.signedOut = new Set()
  w.hub = await openHub(w.db, {
    tickMs: 5,
    identify: async (req) => {
      const user = req.headers['x-user']
      return typeof user === 'string' && !w.signedOut.has(user) ? user : null
    },
  })
  w.server = createServer((req, res) => w.hub.handle(req, res, '127.0.0.1', () => res.writeHead(404).end()))
  w.server.listen(0, '127.0.0.1')
  await once(w.server, 'listening')
  w.url = `http://127.0.0.1:${(w.server.address() as { port: number }).port}/api/events`
})
live.after.each(async (w) => {
  for (const reader of w.readers) reader.close()
  w.hub.close()
  w.server.closeAllConnections()
  w.server.close()
  await w.db.destroy()
})

const connectReader = async (w: World, headers: Record<string, string> = {}, query = '') => {
  const reader = await openEventStream(w.url + query, headers)
  w.readers.push(reader)
  return reader
}
const publishDogRemoved = (db: Db, id: string) =>
  publish(db, { type: 'dog', data: { action: 'removed', id } satisfies DogEvent })
const ids = (reader: StreamReader) => reader.told.map((event) => event.data.id)

live('everyone hears what is for everyone, in order', async (w) => {
  const [a, b] = [await connectReader(w), await connectReader(w, { 'x-user': 'ana' })]
  for (const id of ['1', '2', '3']) await publishDogRemoved(w.db, id)
  await a.until((told) => told.length === 3)
  await b.until((told) => told.length === 3)
  assert.equal(
    [ids(a), ids(b)],
    [
      ['1', '2', '3'],
      ['1', '2', '3'],
    ],
  )
  assert.equal(
    a.told.map((event) => event.type),
    ['dog', 'dog', 'dog'],
  )
  assert.ok(a.told[0]!.id < a.told[1]!.id && a.told[1]!.id < a.told[2]!.id)
})

live('an event costs a handful of statements, and none for each of fifty streams', async (w) => {
  const readers: StreamReader[] = []
  while (readers.length < 50) readers.push(await connectReader(w, { 'x-user': `member ${readers.length}` }))
  const before = countStatements()
  await publishDogRemoved(w.db, '1')
  for (const reader of readers) await reader.until((told) => told.length === 1)
  const statements = countStatements() - before
  assert.ok(statements < 10, `${statements} statements`)
})

live('a member alone hears what is for them, between what is for everyone', async (w) => {
  const [ana, luis] = await seed(w.db, member(), member())
  const [hers, his, nobodys] = [
    await connectReader(w, { 'x-user': ana.id }),
    await connectReader(w, { 'x-user': luis.id }),
    await connectReader(w),
  ]
  await publishDogRemoved(w.db, '1')
  await publish(w.db, { type: 'notification', userId: ana.id, data: { unread: 1, notification: null } })
  await publishDogRemoved(w.db, '2')
  for (const reader of [hers, his, nobodys]) await reader.until((told) => told.some((event) => event.data.id === '2'))
  assert.equal(
    hers.told.map((event) => event.type),
    ['dog', 'notification', 'dog'],
  )
  assert.ok(hers.told[0]!.id < hers.told[1]!.id && hers.told[1]!.id < hers.told[2]!.id)
  assert.equal(
    [ids(his), ids(nobodys)],
    [
      ['1', '2'],
      ['1', '2'],
    ],
  )
})

live('a deed that fails tells nothing', async (w) => {
  const reader = await connectReader(w)
  await w.db
    .transaction()
    .execute(async (trx) => {
      await publishDogRemoved(trx, 'undone')
      throw new Error('undone')
    })
    .catch(() => {})
  await publishDogRemoved(w.db, 'done')
  await reader.until((told) => told.length > 0)
  assert.equal(ids(reader), ['done'])
})

live('who comes back hears what they missed, once and in order', async (w) => {
  const first = await connectReader(w)
  await publishDogRemoved(w.db, '1')
  await first.until((told) => told.length === 1)
  const seen = first.lastId()
  first.close()
  await first.ended
  for (let n = 2; n <= 1200; n++) await publishDogRemoved(w.db, String(n))
  const [byHeader, byAddress] = [
    await connectReader(w, { 'Last-Event-ID': String(seen) }),
    await connectReader(w, {}, `?after=${seen}`),
  ]
  await publishDogRemoved(w.db, '1201')
  const wanted = Array.from({ length: 1200 }, (_, n) => String(n + 2))
  for (const reader of [byHeader, byAddress]) {
    await reader.until((told) => told.length >= 1200)
    assert.equal(ids(reader), wanted)
  }
})

live('who has heard nothing yet can come back too: the first heartbeat carries the number', async (w) => {
  await publishDogRemoved(w.db, 'long ago')
  const first = await connectReader(w)
  first.close()
  await publishDogRemoved(w.db, 'missed')
  const again = await connectReader(w, { 'Last-Event-ID': String(first.lastId()) })
  await again.until((told) => told.length === 1)
  assert.equal(ids(again), ['missed'])
})

live('history that was swept, or never was, asks the page to begin anew', async (w) => {
  await publishDogRemoved(w.db, 'old')
  await w.db
    .updateTable('events')
    .set({ id: MAX_RETAINED_EVENTS * 2 })
    .execute()
  await w.db.insertInto('events').values({ id: 5, type: 'dog', data: '{"id":"older"}', created_at: 1 }).execute()
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5 })
  await deleteOldEvents(w.db, await lastEventId(w.db))
  assert.equal(
    (await eventsAfter(w.db, 0, 10)).map((row) => row.id),
    [MAX_RETAINED_EVENTS * 2],
  )
  for (const seen of [3, MAX_RETAINED_EVENTS * 3]) {
    const reader = await connectReader(w, { 'Last-Event-ID': String(seen) })
    await reader.until((told) => told.length === 1)
    assert.equal([reader.told[0]!.type, reader.lastId()], ['resync', MAX_RETAINED_EVENTS * 2])
  }
  const nonsense = await connectReader(w, { 'Last-Event-ID': 'x' })
  await publishDogRemoved(w.db, 'new')
  await nonsense.until((told) => told.length === 1)
  assert.equal(ids(nonsense), ['new'])
})

live('a reader who does not read is dropped, the others hear on', async (w) => {
  const { port } = new URL(w.url)
  const stuck = connect(Number(port), '127.0.0.1')
  stuck.on('error', () => {})
  stuck.write('GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n')
  stuck.pause()
  const reader = await connectReader(w)
  for (let n = 0; w.hub.size() < 2 && n < 500; n++) await new Promise((done) => setTimeout(done, 5))
  assert.is(w.hub.size(), 2)
  const long = 'x'.repeat(200_000)
  let sent = 0
  while (w.hub.size() === 2 && sent < 200) {
    await publishDogRemoved(w.db, long)
    sent++
    await reader.until((told) => told.length === sent)
  }
  assert.is(w.hub.size(), 1, `still there after ${sent} times 200 kB`)
  stuck.destroy()
})

live('a stream says how to keep it: no cache, no buffer, a time to wait', async (w) => {
  const reader = await connectReader(w)
  const { headers } = reader.response
  assert.is(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.is(headers['cache-control'], 'no-store, no-transform')
  assert.is(headers['x-accel-buffering'], 'no')
})

live('more streams than there is room for are sent away, until one leaves', async (w) => {
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5, maxStreams: 1 })
  const first = await connectReader(w)
  assert.is((await fetch(w.url)).status, 503)
  first.close()
  for (let n = 0; w.hub.size() > 0 && n < 500; n++) await new Promise((done) => setTimeout(done, 5))
  await publishDogRemoved(w.db, 'x')
  await connectReader(w)
  assert.is(w.hub.size(), 1)
})

live('one network may not take all streams, however many addresses it has', async (w) => {
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5, maxStreamsPerNetwork: 3 })
  const from = async (ip: string) => {
    const server = createServer((req, res) => w.hub.handle(req, res, ip, () => res.writeHead(404).end()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const stop = new AbortController()
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/api/events`
    const { status } = await fetch(url, { signal: stop.signal })
    return { status, stop: () => (stop.abort(), server.closeAllConnections(), server.close()) }
  }
  const addresses = [
    ...Array(4).fill('192.0.2.1'),
    '192.0.2.2',
    ...[0, 1, 2, 3].map((n) => `2001:db8:7:${n}::/64`),
    '2001:db8:8:0::/64',
  ]
  const streams = []
  for (const ip of addresses) streams.push(await from(ip))
  assert.equal(
    streams.map(({ status }) => status),
    [200, 200, 200, 503, 200, 200, 200, 200, 503, 200],
  )
  for (const { stop } of streams) stop()
})

live('one member may not take all streams, and gives room back', async (w) => {
  const mine = { headers: { 'x-user': 'ana' } }
  const readers = []
  for (let n = 0; n < 50; n++) readers.push(await connectReader(w, mine.headers))
  assert.is((await fetch(w.url, mine)).status, 503)
  await connectReader(w, { 'x-user': 'luis' })
  await connectReader(w)
  readers[0]!.close()
  for (let n = 0; w.hub.size() > 51 && n < 500; n++) await new Promise((done) => setTimeout(done, 5))
  await connectReader(w, mine.headers)
  assert.is((await fetch(w.url, mine)).status, 503)
})

live('by default five networks at the least share the streams there are', () => {
  const source = readSource('src/features/live/hub.server.ts')
  const of = (name: string) => Number(new RegExp(`const ${name} = (\\d+)`).exec(source)![1])
  assert.ok(of('STREAMS_PER_NETWORK') * 5 <= of('STREAMS_MAX'))
})

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

live('one network is told only so many bytes of the past in a minute, and who asks for more begins anew', async (w) => {
  const bytes = JSON.stringify({ action: 'removed', id: crypto.randomUUID() }).length
  const network = await reopenHub(w, { bytesPerNetwork: 50 * bytes, bytesTotal: 70 * bytes })
  await publishDogRemoved(w.db, crypto.randomUUID())
  const first = await lastEventId(w.db)
  for (let n = 0; n < 20; n++) await publishDogRemoved(w.db, crypto.randomUUID())
  assert.equal(await replayAfter(w, first), Array(20).fill('dog'))
  assert.equal(await replayAfter(w, first), Array(21).fill('dog'))
  // Of what weighs as much as fifty they have had 41.
  assert.equal(await replayAfter(w, first), ['resync'])
  // A few are still told, and who was not away asks for nothing.
  assert.equal(await replayAfter(w, (await lastEventId(w.db)) - 2), ['dog', 'dog'])
  network.now = '10.0.0.2'
  assert.equal(await replayAfter(w, first), Array(24).fill('dog'))
  // Of what weighs as much as seventy everybody together has had 67.
  network.now = '10.0.0.3'
  assert.equal(await replayAfter(w, first), ['resync'])
  assert.equal(await replayAfter(w, (await lastEventId(w.db)) - 2), ['dog', 'dog'])
})

live('heavy events are read and told a few at a time, whole and in order', async (w) => {
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
  const reader = await connectReader(w, {}, '?after=1')
  await reader.until((told) => told.length === 40)
  assert.equal(
    ids(reader).map((id) => id.split(' ')[0]!.slice(0, 2)),
    [...Array.from({ length: 39 }, (_, n) => String(n + 1)), 'yy'],
  )
})

live('of readers who do not take the past so many wait, and the network with most of them gives way', async (w) => {
  for (let n = 0; n < 300; n++) await publishDogRemoved(w.db, 'x'.repeat(50_000))
  const network = await reopenHub(w, { maxStuckReaders: 4 })
  const first = 1
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
  for (let n = 0; cut() < 3 && n < 500; n++) await new Promise((done) => setTimeout(done, 10))
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

live('closing the hub ends its streams and takes no more', async (w) => {
  const reader = await connectReader(w)
  w.hub.close()
  await reader.ended
  const refused = await fetch(w.url)
  assert.equal([refused.status, refused.headers.get('retry-after')], [503, '30'])
  assert.is((await refused.json()).detail, 'Hay demasiadas conexiones abiertas. Inténtalo dentro de un momento.')
})

live('a clock that goes back holds no event up', async (w) => {
  const { now } = Date
  const a = await connectReader(w)
  await publishDogRemoved(w.db, '1')
  await a.until((told) => told.length === 1)
  const real = now()
  Date.now = () => now() - real + 1000
  try {
    await publishDogRemoved(w.db, '2')
    await publishDogRemoved(w.db, '3')
    await a.until((told) => told.length === 3)
    assert.equal(ids(a), ['1', '2', '3'])
  } finally {
    Date.now = now
  }
})

live.run()
