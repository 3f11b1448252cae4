import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { listenForChanges } from '#db/dialect/postgres/change-log.ts'
import { findLastChange } from '#db/table-changes.ts'
import { type FeedNode, openFeedNode } from '#tests/support/nodes/feed-node.ts'
import { type Cable, startCable } from '#tests/support/postgres/cable.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, type Db, suite } from '#tests/support/suites.ts'

// The connection that listens goes through a network that fails; the others do not.

const feeds = suite<{ db: Db; cable: Cable }>('unit/app/page-cache/change-feed-reconnection')

const POLL_INTERVAL_MS = 10

feeds.before.each(async (t) => {
  t.db = freshPostgresDb()
  await t.db.selectFrom('users').select('id').execute()
  t.cable = await startCable(await postgresUrlOf(t.db))
})
feeds.after.each(async ({ db, cable }) => {
  await cable.close()
  await db.destroy()
})

const countListeners = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`.execute(db)
  return rows[0]!.count
}

async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('not within 10 s')
    await wait(10)
  }
}

const openNode = ({ db, cable }: { db: Db; cable: Cable }): Promise<FeedNode> =>
  openFeedNode(db, POLL_INTERVAL_MS, cable.url)

/** Loses the node's connection, and has several polls go by while new ones get no answer. */
async function loseConnection(cable: Cable, stalledText?: string): Promise<void> {
  const before = findLastChange()
  cable.stall(stalledText)
  cable.cut()
  await waitUntil(() => findLastChange() > before && cable.countConnections() > 0)
  await wait(20 * POLL_INTERVAL_MS)
}

for (const [title, stalledText] of [
  ['whose connection gets no answer', ''],
  ['whose LISTEN gets no answer', 'LISTEN'],
] as const)
  feeds(`a node ${title} has one attempt under way, and one connection once it is answered`, async (t) => {
    const node = await openNode(t)
    await loseConnection(t.cable, stalledText)
    assert.is(t.cable.countConnections(), 1)
    t.cable.flow()
    await waitUntil(async () => (await countListeners(t.db)) === 1)
    await wait(10 * POLL_INTERVAL_MS)
    assert.is(t.cable.countConnections(), 1)
    await node.feed.close()
    await waitUntil(() => t.cable.countConnections() === 0)
  })

feeds('a node that is closed during an attempt ends its connection', async (t) => {
  const node = await openNode(t)
  await loseConnection(t.cable)
  await node.feed.close()
  t.cable.flow()
  await waitUntil(() => t.cable.countConnections() === 0)
})

feeds('attempts that fail clear no cache: only a connection that has listened is lost', async (t) => {
  const node = await openNode(t)
  const before = findLastChange()
  await t.cable.unplug()
  await wait(20 * POLL_INTERVAL_MS)
  // When it is lost, and when the log is read again: what was written between is unknown.
  assert.is(findLastChange(), before + 2)
  await t.cable.mend()
  await waitUntil(async () => (await countListeners(t.db)) === 1)
  await node.feed.close()
})

for (const [title, stalledText] of [
  ['a connection', ''],
  ['a LISTEN', 'LISTEN'],
] as const)
  feeds(`${title} that gets no answer fails in its time, without a connection that stays open or a loss`, async (t) => {
    const losses: string[] = []
    t.cable.stall(stalledText)
    const attempt = listenForChanges(
      t.cable.url,
      () => {},
      () => losses.push('lost'),
      200,
    )
    const outcome = await Promise.race([
      attempt.then(
        () => 'listens',
        () => 'failed',
      ),
      wait(5000, 'waits', { ref: false }),
    ])
    assert.is(outcome, 'failed')
    await waitUntil(() => t.cable.countConnections() === 0)
    assert.equal(losses, [])
  })
