import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { CHANGE_LOG } from '#db/dialect/postgres/change-log.ts'
import { toPosition } from '#db/dialect/postgres/snapshots.ts'
import { like } from '#features/likes/likes.server.ts'
import { type FeedNode, openFeedNode as openNode } from '#tests/support/nodes/feed-node.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'
import { observe } from '#tests/support/postgres/observed-queries.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

// Two nodes share a PostgreSQL: each hears what either has changed.

const feeds = suite<{ db: Db; nodes: [FeedNode, FeedNode] }>('unit/app/page-cache/change-feed')

/** A position that no node gave: `xid` and all transactions below it are visible. */
const forgePosition = (xid: bigint): string => toPosition({ xmax: xid + 1n, inProgress: [] })

/** Longer than any test: nothing is read by the poll. */
const NEVER_MS = 10 * 60_000

feeds.before.each(async (t) => {
  t.db = freshPostgresDb({ maxConnections: 8 })
  await t.db.selectFrom('users').select('id').execute()
  // At the same time, as nodes start.
  t.nodes = (await Promise.all([openNode(t.db, NEVER_MS), openNode(t.db, NEVER_MS)])) as [FeedNode, FeedNode]
})
feeds.after.each(async ({ db, nodes }) => {
  for (const commit of openTransactions) await commit()
  openTransactions.clear()
  await Promise.all(nodes.map(({ feed }) => feed.close()))
  await db.destroy()
})

async function waitUntil(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('not within 10 s')
    await new Promise((done) => setTimeout(done, 10))
  }
}

feeds('a like is read by both nodes, once each', async ({ db, nodes }) => {
  const [ana, toby] = await seed(db, member(), dog())
  for (const { feed, tags } of nodes) {
    await feed.read()
    tags.clear()
  }
  await like(db, ana, toby.id)
  for (const { feed, tags } of nodes) {
    await feed.read()
    for (const tag of [`dog:${toby.id}`, `member:${ana.id}`, 'ranking', 'votes']) assert.ok(tags.has(tag), tag)
    tags.clear()
    await feed.read()
    assert.equal([...tags], [])
  }
})

feeds('what is rolled back is not read', async ({ db, nodes: [{ feed, tags }] }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await feed.read()
  tags.clear()
  await db
    .transaction()
    .execute(async (trx) => {
      await like(trx, ana, toby.id)
      throw new Error('back')
    })
    .catch(() => {})
  await feed.read()
  assert.equal([...tags], [])
})

feeds('a transaction that began first and commits last is read, and so is the one between', async ({ db, nodes }) => {
  const [{ feed, tags }] = nodes
  const [, first, second, third] = await seed(db, member(), dog(), dog(), dog())
  await feed.read()
  tags.clear()
  const rename = (connection: Db, id: string, name: string) =>
    connection.updateTable('dogs').set({ name }).where('id', '=', id).execute()
  let commit = () => {}
  let begin = () => {}
  const hasWritten = new Promise<void>((resolve) => (begin = resolve))
  const slow = db.transaction().execute(async (trx) => {
    await rename(trx, first.id, 'Lenta')
    begin()
    await new Promise<void>((resolve) => (commit = resolve))
  })
  await hasWritten
  await rename(db, second.id, 'Rápida')
  await feed.read()
  assert.ok(tags.has(`dog:${second.id}`), 'the fast one is not held up')
  assert.not.ok(tags.has(`dog:${first.id}`))
  tags.clear()
  await rename(db, third.id, 'Tercera')
  await feed.read()
  assert.ok(tags.has(`dog:${third.id}`))
  assert.not.ok(tags.has(`dog:${second.id}`), 'nothing is read twice')
  tags.clear()
  commit()
  await slow
  await feed.read()
  assert.ok(tags.has(`dog:${first.id}`), 'the slow one, whose rows have lower ids')
})

feeds('no change of 400 concurrent transactions is missed, however often others read', async ({ db, nodes }) => {
  const [, ...dogs] = await seed(db, member(), ...Array.from({ length: 40 }, () => dog()))
  const [{ feed, tags }] = nodes
  await feed.read()
  const missed: string[] = []
  for (let round = 0; round < 10; round++) {
    tags.clear()
    const state = { isWriting: true }
    const writes = Promise.all(
      dogs.map(({ id }) =>
        db.transaction().execute(async (trx) => {
          await trx
            .updateTable('dogs')
            .set({ name: `N${round}` })
            .where('id', '=', id)
            .execute()
          await sql`SELECT pg_sleep(random() * 0.02)`.execute(trx)
        }),
      ),
    ).finally(() => (state.isWriting = false))
    while (state.isWriting) await feed.read()
    await writes
    await feed.read()
    missed.push(...dogs.filter(({ id }) => !tags.has(`dog:${id}`)).map(({ id }) => `${round} ${id}`))
  }
  assert.equal(missed, [])
})

feeds('an announcement wakes the other node', async ({ db, nodes: [one, other] }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await like(db, ana, toby.id)
  one.feed.announce()
  await waitUntil(() => other.tags.has(`dog:${toby.id}`))
})

feeds('a node does not read again what it announces itself', async ({ db, nodes: [one, other] }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await one.feed.readWrite()
  one.tags.clear()
  await like(db, ana, toby.id)
  one.feed.announce()
  await waitUntil(() => other.tags.has(`dog:${toby.id}`))
  await wait(100)
  assert.equal([...one.tags], [])
})

feeds('a change that nobody announces is read by the poll', async ({ db }) => {
  const node = await openNode(db, 20)
  const [ana, toby] = await seed(db, member(), dog())
  await like(db, ana, toby.id)
  await waitUntil(() => node.tags.has(`dog:${toby.id}`))
  await node.feed.close()
})

feeds('a node whose connection is cut clears its pages, and listens again', async ({ db, nodes: [one] }) => {
  const node = await openNode(db, 50)
  const before = node.clears()
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`.execute(db)
  await waitUntil(() => node.clears() > before)
  await waitUntil(() => one.clears() > 0)
  const [ana, toby] = await seed(db, member(), dog())
  await like(db, ana, toby.id)
  await waitUntil(() => node.tags.has(`dog:${toby.id}`))
  await node.feed.close()
})

feeds(
  'nodes of another version replace the triggers, and leave none twice',
  async ({ db, nodes: [{ feed, tags }] }) => {
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM pg_trigger WHERE starts_with(tgname, 'perrario_cache_')`.execute(db)
      return rows[0]!.n
    }
    const before = await count()
    assert.ok(before > 20, `${before} triggers`)
    await sql.raw(`COMMENT ON TABLE ${CHANGE_LOG} IS 'older'`).execute(db)
    const node = await openNode(db, NEVER_MS)
    assert.is(await count(), before)
    const [ana, toby] = await seed(db, member(), dog())
    await like(db, ana, toby.id)
    await feed.read()
    assert.ok(tags.has(`dog:${toby.id}`))
    await node.feed.close()
  },
)

const openTransactions = new Set<() => Promise<void>>()

/** Begins a transaction that renames a dog. @returns commits it, which the end of the test does as well */
async function renameSlowly(db: Db, id: string): Promise<() => Promise<void>> {
  let commit = () => {}
  let begin = () => {}
  const hasWritten = new Promise<void>((resolve) => (begin = resolve))
  const transaction = db.transaction().execute(async (trx) => {
    await trx.updateTable('dogs').set({ name: 'Lenta' }).where('id', '=', id).execute()
    begin()
    await new Promise<void>((resolve) => (commit = resolve))
  })
  await hasWritten
  const end = async () => {
    commit()
    await transaction
  }
  openTransactions.add(end)
  return end
}

const nextXid = async (db: Db): Promise<bigint> => {
  const { rows } = await sql<{ xid: string }>`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`.execute(db)
  return BigInt(rows[0]!.xid)
}

feeds('a position of the future that a client sent hides no later write', async ({ db, nodes: [here, there] }) => {
  const [ana, ...dogs] = await seed(db, member(), ...Array.from({ length: 8 }, () => dog()))
  // One of them is what the write is given.
  for (const [ahead, toby] of dogs.entries()) {
    const forged = forgePosition((await nextXid(db)) + BigInt(ahead))
    await there.feed.catchUp(forged)
    there.tags.clear()
    await like(db, ana, toby.id)
    await there.feed.catchUp(await here.feed.readWrite())
    assert.ok(there.tags.has(`dog:${toby.id}`), `${ahead} ahead`)
  }
})

feeds('a transaction that commits after a later one is in the position after it', async ({ db, nodes }) => {
  const [here, there] = nodes
  const [, slow, fast] = await seed(db, member(), dog(), dog())
  const commit = await renameSlowly(db, slow.id)
  await db.updateTable('dogs').set({ name: 'Rápida' }).where('id', '=', fast.id).execute()
  await there.feed.catchUp(await here.feed.readWrite())
  assert.ok(there.tags.has(`dog:${fast.id}`))
  there.tags.clear()
  await commit()
  await there.feed.catchUp(await here.feed.readWrite())
  assert.ok(there.tags.has(`dog:${slow.id}`))
})

feeds('a node that has read a position does not read again, also beside an open transaction', async ({ db, nodes }) => {
  const [here, there] = nodes
  const [ana, slow, toby] = await seed(db, member(), dog(), dog())
  const commit = await renameSlowly(db, slow.id)
  await like(db, ana, toby.id)
  const position = await here.feed.readWrite()
  await there.feed.catchUp(position)
  assert.is(there.feed.catchUp(position), undefined)
  await commit()
})

feeds('beside an open transaction each entry is read once', async ({ db }) => {
  const observed = observe(db)
  const { feed } = await openNode(observed.db, NEVER_MS)
  const [, slow] = await seed(db, member(), dog())
  const commit = await renameSlowly(db, slow.id)
  await sql`INSERT INTO ${sql.table(CHANGE_LOG)} (tag) SELECT 'tag' || n FROM generate_series(1, 500) AS n`.execute(db)
  await feed.read()
  assert.ok(observed.rows >= 500, `${observed.rows} rows`)
  observed.rows = 0
  for (let i = 0; i < 20; i++) await feed.read()
  assert.ok(observed.rows <= 20, `${observed.rows} rows of 20 reads`)
  await commit()
  await feed.close()
})

feeds('positions that clients made up cause one read in a few milliseconds', async ({ db }) => {
  const observed = observe(db)
  const { feed } = await openNode(observed.db, NEVER_MS)
  observed.starts.length = 0
  const next = await nextXid(db)
  const from = Date.now()
  for (let i = 0; i < 60; i++) await feed.catchUp(forgePosition(next + 1_000_000n + BigInt(i)))
  const tookMs = Date.now() - from
  const { length } = observed.starts
  assert.ok(length > 0 && (length - 1) * 5 <= tookMs + 1, `${length} reads in ${tookMs} ms`)
  await feed.close()
})

feeds.run()
