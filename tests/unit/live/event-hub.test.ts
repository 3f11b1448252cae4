import { createServer } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { countStatements } from '#db/statement-count.ts'
import { openHub } from '#features/live/hub.server.ts'
import { publish, deleteOldEvents } from '#features/live/live.server.ts'
import type { StreamReader } from '#tests/support/live/event-stream.ts'
import { readSource } from '#tests/support/sources.ts'
import { connectReader, hubSuite, listIds, publishDogRemoved } from '#tests/support/live/hub-suite.ts'
import { assert, member, pluck, seed } from '#tests/support/suites.ts'

const live = hubSuite('unit/live/event-hub')

live('an event costs a handful of statements, and none for each of fifty streams', async (w) => {
  const readers: StreamReader[] = []
  while (readers.length < 50) readers.push(await connectReader(w, { 'x-user': `member ${readers.length}` }))
  const before = countStatements()
  await publishDogRemoved(w.db, '1')
  for (const reader of readers) await reader.until((told) => told.length === 1)
  const statements = countStatements() - before
  assert.ok(statements < 10, `${statements} statements`)
})

live('a member’s events reach that member alone, in order with public ones', async (w) => {
  const [ana, luis] = await seed(w.db, member(), member())
  const [hers, his, nobodys] = [
    await connectReader(w, { 'x-user': ana.id }),
    await connectReader(w, { 'x-user': luis.id }),
    await connectReader(w),
  ]
  await publishDogRemoved(w.db, '1')
  await publish(w.db, { type: 'notification', userId: ana.id })
  await publishDogRemoved(w.db, '2')
  for (const reader of [hers, his, nobodys]) await reader.until((told) => told.some((event) => event.data.id === '2'))
  assert.equal(pluck(hers.told, 'type'), ['dog', 'notification', 'dog'])
  assert.ok(hers.told[0]!.id < hers.told[1]!.id && hers.told[1]!.id < hers.told[2]!.id)
  assert.equal(
    [listIds(his), listIds(nobodys)],
    [
      ['1', '2'],
      ['1', '2'],
    ],
  )
})

live(
  'a batch is sent to many streams over several turns of the event loop, so that requests are answered between',
  async (w) => {
    let turn = 0
    let counting = setImmediate(function count() {
      turn++
      counting = setImmediate(count)
    })
    const writesByTurn = new Map<number, number>()
    w.server.prependListener('request', (_, res) => {
      const write = res.write.bind(res)
      res.write = ((chunk: string | Buffer) => {
        if (String(chunk).includes('"id":"1"')) writesByTurn.set(turn, (writesByTurn.get(turn) ?? 0) + 1)
        return write(chunk)
      }) as typeof res.write
    })
    const readers: StreamReader[] = []
    while (readers.length < 160) readers.push(await connectReader(w))
    await publishDogRemoved(w.db, '1')
    for (const reader of readers) await reader.until((told) => told.length === 1)
    clearImmediate(counting)
    assert.ok(writesByTurn.size >= 3, `${writesByTurn.size} turns`)
    for (const writes of writesByTurn.values()) assert.ok(writes <= 60, `${writes} in one turn`)
  },
)

live(
  'streams that join and leave while batches are sent receive each event once, in order, and no later number before it',
  async (w) => {
    const readers: StreamReader[] = []
    while (readers.length < 120) readers.push(await connectReader(w))
    let last = 0
    const joined = new AbortController()
    const publishing = (async () => {
      while (!joined.signal.aborted) {
        await publishDogRemoved(w.db, String(++last))
        await new Promise((done) => setTimeout(done, 2))
      }
    })()
    const settled = readers.slice(30)
    for (let n = 0; n < 30; n++) {
      readers.shift()!.close()
      readers.push(await connectReader(w))
    }
    joined.abort()
    await publishing
    await publishDogRemoved(w.db, String(++last))
    const numbersFrom = (first: number) => Array.from({ length: last - first + 1 }, (_, n) => String(first + n))
    for (const reader of readers) {
      await reader.until((told) => told.at(-1)?.data.id === String(last))
      assert.equal(listIds(reader), numbersFrom(settled.includes(reader) ? 1 : Number(listIds(reader)[0])))
    }
  },
)

live('a stream that reconnects receives the missed events, once and in order', async (w) => {
  const first = await connectReader(w)
  await publishDogRemoved(w.db, '1')
  await first.until((told) => told.length === 1)
  const seen = first.lastId()
  first.close()
  await first.ended
  for (let n = 2; n <= 400; n++) await publishDogRemoved(w.db, String(n))
  const [byHeader, byAddress] = [
    await connectReader(w, { 'Last-Event-ID': String(seen) }),
    await connectReader(w, {}, `?after=${seen}`),
  ]
  await publishDogRemoved(w.db, '401')
  const wanted = Array.from({ length: 400 }, (_, n) => String(n + 2))
  for (const reader of [byHeader, byAddress]) {
    await reader.until((told) => told.length >= 400)
    assert.equal(listIds(reader), wanted)
  }
})

live('a stream without events can reconnect too, because the first heartbeat has an id', async (w) => {
  await publishDogRemoved(w.db, 'long ago')
  while (w.hub.position() === 0) await new Promise((done) => setTimeout(done, 5))
  const first = await connectReader(w)
  first.close()
  await publishDogRemoved(w.db, 'missed')
  const again = await connectReader(w, { 'Last-Event-ID': String(first.lastId()) })
  await again.until((told) => told.length === 1)
  assert.equal(listIds(again), ['missed'])
})

live('a position whose history was deleted, or never existed, gets a resync', async (w) => {
  for (const id of ['older', 'old']) await publishDogRemoved(w.db, id)
  const [older, old] = (await w.db.selectFrom('events').select('id').orderBy('id').execute()).map(({ id }) => id)
  await deleteOldEvents(w.db, old!, 1)
  assert.equal(await w.db.selectFrom('events').select('id').execute(), [{ id: old }])
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5 })
  for (const seen of [older! - 1, Number.MAX_SAFE_INTEGER]) {
    const reader = await connectReader(w, { 'Last-Event-ID': String(seen) })
    await reader.until((told) => told.length === 1)
    assert.equal([reader.told[0]!.type, reader.lastId()], ['resync', old])
  }
  const nonsense = await connectReader(w, { 'Last-Event-ID': 'x' })
  await publishDogRemoved(w.db, 'new')
  await nonsense.until((told) => told.length === 1)
  assert.equal(listIds(nonsense), ['new'])
})

live('a reader that does not read is disconnected, and the others continue', async (w) => {
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

live('a stream has headers for no cache, no buffer, and a retry time', async (w) => {
  const reader = await connectReader(w)
  const { headers } = reader.response
  assert.is(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.is(headers['cache-control'], 'no-store, no-transform')
  assert.is(headers['x-accel-buffering'], 'no')
})

live('streams above the limit are refused until one leaves', async (w) => {
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

live('one network may not open all streams, however many addresses it has', async (w) => {
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5, maxStreamsPerSite: 3 })
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
  assert.equal(pluck(streams, 'status'), [200, 200, 200, 503, 200, 200, 200, 200, 503, 200])
  for (const { stop } of streams) stop()
})

live('one member may not open all streams, and releases capacity on leaving', async (w) => {
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

live('by default at least five networks share the streams', () => {
  const source = readSource('src/features/live/hub.server.ts')
  const of = (name: string) => Number(new RegExp(`const ${name} = (\\d+)`).exec(source)![1])
  assert.ok(of('STREAMS_PER_SITE') * 5 <= of('STREAMS_MAX'))
})

live('closing the hub ends its streams and accepts no more', async (w) => {
  const reader = await connectReader(w)
  w.hub.close()
  await reader.ended
  const refused = await fetch(w.url)
  assert.equal([refused.status, refused.headers.get('retry-after')], [503, '30'])
  assert.is((await refused.json()).detail, 'Hay demasiadas conexiones abiertas. Inténtalo dentro de un momento.')
})

live('a clock that is set back delays no event', async (w) => {
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
    assert.equal(listIds(a), ['1', '2', '3'])
  } finally {
    Date.now = now
  }
})
