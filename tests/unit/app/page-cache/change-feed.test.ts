import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { CHANGE_LOG } from '#db/dialect/postgres/change-log.ts'
import { findPosition, recordPosition } from '#db/positions.ts'
import { compareReads, findLastChange, followSchema, type Reads } from '#db/table-changes.ts'
import { transact } from '#db/transact.ts'
import { type FeedNode, openFeedNode } from '#tests/support/nodes/feed-node.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, type Db, dog, member, seed, suite } from '#tests/support/suites.ts'

// A node hears what another process, which shares its PostgreSQL, has written.

/** Longer than any test: nothing is read by the poll. */
const NEVER_MS = 10 * 60_000
const OTHER = new URL('../../../support/nodes/other-writer.ts', import.meta.url)

interface World {
  db: Db
  node: FeedNode
  toby: { id: string }
  other: ChildProcess
  /** Has the other process rename the dog. @returns the position of its write */
  rename: (fails?: boolean) => Promise<number>
}
const feeds = suite<World>('unit/app/page-cache/change-feed')

feeds.before.each(async (t) => {
  t.db = freshPostgresDb({ maxConnections: 8 })
  await followSchema(t.db)
  ;[, t.toby] = await seed(t.db, member(), dog())
  t.node = await openFeedNode(t.db, NEVER_MS)
  t.other = fork(OTHER, [await postgresUrlOf(t.db), t.toby.id])
  await once(t.other, 'message')
  t.rename = async (fails = false) => {
    t.other.send(fails ? 'fail' : 'rename')
    const [position] = (await once(t.other, 'message')) as [number]
    return position
  }
})
feeds.after.each(async ({ db, node, other }) => {
  other.disconnect()
  await once(other, 'exit')
  await node.feed.close()
  await db.destroy()
})

async function waitUntil(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('not within 10 s')
    await new Promise((done) => setTimeout(done, 10))
  }
}

const readsOf = (...tables: string[]): Reads => ({ names: new Set(tables), since: findLastChange() })

feeds('what another process commits is told at once, by its tables', async ({ rename }) => {
  const [dogs, breeds] = [readsOf('dogs_all'), readsOf('breed_overrides')]
  await rename()
  await waitUntil(() => compareReads(dogs) === 'changed')
  assert.is(compareReads(breeds), 'current')
})

feeds('what is rolled back is not told', async ({ node, rename }) => {
  const dogs = readsOf('dogs_all')
  await rename(true)
  await node.feed.read()
  assert.is(compareReads(dogs), 'current')
})

feeds('who carries the position of a write is answered by a node that knows it', async ({ node, rename }) => {
  const dogs = readsOf('dogs_all')
  const written = await rename()
  await node.feed.read()
  assert.is(compareReads(dogs), 'changed')
  assert.ok(findPosition() >= written)
})

feeds('a node’s own write is known to it at once, and not told again', async ({ db, node, toby }) => {
  const { position } = await recordPosition(() =>
    transact(db, (trx) => trx.updateTable('dogs_all').set({ name: 'Lobo' }).where('id', '=', toby.id).execute()),
  )
  const last = findLastChange()
  await node.feed.read()
  assert.is(findLastChange(), last)
  assert.ok(findPosition() >= position)
})

feeds('a write of a private table is in no log', async ({ db, toby }) => {
  const count = async () => {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(CHANGE_LOG)}`.execute(db)
    return rows[0]!.n
  }
  const before = await count()
  await transact(db, (trx) => trx.deleteFrom('secrets').where('dog_id', '=', toby.id).execute())
  assert.is(await count(), before)
})

feeds('a change that nobody notifies of is read by the poll', async ({ db, rename }) => {
  const node = await openFeedNode(db, 20)
  const dogs = readsOf('dogs_all')
  await rename()
  await waitUntil(() => compareReads(dogs) === 'changed')
  await node.feed.close()
})

feeds('a node whose connection is cut begins anew, and listens again', async ({ db, rename }) => {
  const node = await openFeedNode(db, 50)
  const anything = readsOf('breed_overrides')
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`.execute(db)
  await waitUntil(() => compareReads(anything) === 'changed')
  const dogs = readsOf('dogs_all')
  await rename()
  await waitUntil(() => compareReads(dogs) === 'changed')
  await node.feed.close()
})
