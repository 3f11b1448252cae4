import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { alignCounters } from '#db/dialect/bulk-load.ts'
import { listTableLayouts } from '#db/dialect/table-layouts.ts'
import { transact } from '#db/transact.ts'
import { type Hub, openHub } from '#features/live/hub.server.ts'
import { onPublish } from '#features/live/live.server.ts'
import { openEventStream, type StreamReader } from '#tests/support/live/event-stream.ts'
import { listIds, listStoredIds, publishDogRemoved } from '#tests/support/live/hub-suite.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'
import { assert, type Db, pluck, suite } from '#tests/support/suites.ts'

// Two nodes over one PostgreSQL, where one transaction writes at a time: ids are in the order of commits.

interface Node {
  hub: Hub
  server: Server
  url: string
}
interface World {
  db: Db
  nodes: Node[]
  readers: StreamReader[]
}

const events = suite<World>('unit/live/concurrent-events')
events.before.each(async (t) => {
  t.db = freshPostgresDb({ maxConnections: 16 })
  // A site has had events: a position before the first stored one gets a resync.
  await publishDogRemoved(t.db, 'long ago')
  t.readers = []
  t.nodes = [await startNode(t.db), await startNode(t.db)]
})
events.after.each(async ({ db, nodes, readers }) => {
  for (const reader of readers) reader.close()
  for (const { hub, server } of nodes) {
    hub.close()
    server.closeAllConnections()
    server.close()
  }
  await db.destroy()
})

async function startNode(db: Db): Promise<Node> {
  const hub = await openHub(db, { identify: async () => null, tickMs: 5 })
  const server = createServer((req, res) => hub.handle(req, res, '127.0.0.1', () => res.writeHead(404).end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { hub, server, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/api/events` }
}

async function connect({ readers }: World, { url }: Node, seen?: number): Promise<StreamReader> {
  const reader = await openEventStream(url, seen === undefined ? {} : { 'Last-Event-ID': String(seen) })
  readers.push(reader)
  return reader
}

/** What it has received but for what was there before: a node may deliver that late. */
const listNew = (reader: StreamReader) => listIds(reader).filter((id) => id !== 'long ago')

const publish = (db: Db, id: string): Promise<void> => transact(db, (trx) => publishDogRemoved(trx, id))

/** A transaction that publishes and stays open until `commit`. */
async function publishSlowly(db: Db, id: string): Promise<{ commit: () => Promise<void> }> {
  const published = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = transact(db, async (trx) => {
    await publishDogRemoved(trx, id)
    published.resolve()
    await released.promise
  })
  await published.promise
  return {
    commit: () => {
      released.resolve()
      return done
    },
  }
}

events('an event whose transaction began first is received first', async (w) => {
  const [node] = w.nodes as [Node, Node]
  const reader = await connect(w, node)
  const slow = await publishSlowly(w.db, 'slow')
  const quick = publish(w.db, 'quick')
  await wait(300)
  const early = listNew(reader)
  await slow.commit()
  await quick
  assert.equal(early, [], 'it waits for the one that began before it')
  await reader.until(() => listNew(reader).length === 2)
  assert.equal(listNew(reader), ['slow', 'quick'])
  const [first, second] = reader.told.slice(-2).map(({ id }) => id)
  assert.ok(first! < second!)
})

events(
  'a stream that comes from another node gets what it missed there, also before this node knew of it',
  async (w) => {
    const [one, other] = w.nodes as [Node, Node]
    const before = await connect(w, one)
    await publish(w.db, '1')
    await before.until(() => listIds(before).includes('1'))
    const seen = before.lastId()
    before.close()
    await before.ended
    const slow = await publishSlowly(w.db, '2')
    const later = publish(w.db, '3')
    const after = await connect(w, other, seen)
    await slow.commit()
    await later
    await after.until((told) => told.length === 2)
    assert.equal(listIds(after), ['2', '3'])
    assert.equal(pluck(after.told, 'type'), ['dog', 'dog'], 'without a resync')
  },
)

events('streams of both nodes get the events of many transactions once and in one order', async (w) => {
  const readers = [await connect(w, w.nodes[0]!), await connect(w, w.nodes[1]!)]
  const total = 120
  let moved = await connect(w, w.nodes[0]!)
  const heard: string[] = []
  /** A reader that changes the node all the time. */
  const wander = (async () => {
    for (let turn = 1; heard.length + listNew(moved).length < total && turn < 400; turn++) {
      await wait(20)
      heard.push(...listNew(moved))
      const seen = moved.lastId()
      moved.close()
      moved = await connect(w, w.nodes[turn % 2]!, seen)
    }
    heard.push(...listNew(moved))
  })()
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let n = 0; n < total / 12; n++)
        await transact(w.db, async (trx) => {
          await publishDogRemoved(trx, `${writer} ${n}`)
          await sql`SELECT pg_sleep(${Math.random() * 0.01})`.execute(trx)
        })
    }),
  )
  for (const reader of readers) await reader.until(() => listNew(reader).length >= total)
  await wander
  assert.equal(listNew(readers[0]!), listNew(readers[1]!))
  assert.is(new Set(listNew(readers[0]!)).size, total)
  assert.equal(heard, listNew(readers[0]!))
})

events('events of one transaction keep their order', async (w) => {
  await transact(w.db, async (trx) => {
    for (let n = 0; n < 30; n++) await publishDogRemoved(trx, String(n))
  })
  const rows = await w.db.selectFrom('events').select('dog_id').orderBy('id').execute()
  assert.equal(
    pluck(rows.slice(1), 'dog_id'),
    Array.from({ length: 30 }, (_, n) => String(n)),
  )
})

events('whoever is woken by an event reads it', async ({ db }) => {
  const counts: Promise<number[]>[] = []
  onPublish(() => counts.push(listStoredIds(db)))
  const slow = await publishSlowly(db, '1')
  await wait(50)
  const early = counts.length
  await slow.commit()
  assert.is(early, 0)
  assert.equal(pluck(await Promise.all(counts), 'length'), [2])
})

events('ids continue behind those of rows that were copied', async (w) => {
  const far = 5_000_000_000_000
  await w.db.updateTable('events').set({ id: far }).execute()
  await alignCounters(w.db, await listTableLayouts(w.db))
  await publish(w.db, 'new')
  assert.equal(await listStoredIds(w.db), [far, far + 1])
  const reader = await connect(w, w.nodes[0]!, far)
  await reader.until((told) => told.length === 1)
  assert.equal(listIds(reader), ['new'])
})
