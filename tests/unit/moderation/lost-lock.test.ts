import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db, Trx } from '#db/client.ts'
import { withDogRows } from '#db/dog-rows-lock.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { takeWriteLock } from '#db/dialect/write-lock.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { quarantineDog, restoreDog } from '#features/dogs/quarantine.server.ts'
import {
  type QuarantineOptions,
  restoreRowsOfDog,
  resumeRestores,
  withRowsInQuarantine,
} from '#features/dogs/quarantined-rows.server.ts'
import { toProblem } from '#server/problem.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

// A node moves a dog's rows, and the connection that locks them ends. Another node has the lock by then.

const COMMENT_COUNT = 60
/** Those of the transaction that was under way when the lock was lost. */
const COMMENTS_PER_BATCH = 15

interface World {
  db: Db
  other: Db
  toby: { id: string }
}

const locks = suite<World>('unit/moderation/lost-lock')
locks.before.each(async (t) => {
  t.db = freshPostgresDb({ maxConnections: 8 })
  const [, toby, luis] = await seed(t.db, member(), dog({ name: 'Toby' }), member())
  t.toby = toby
  for (let i = 0; i < COMMENT_COUNT; i++) await addComment(t.db, luis, toby.id, `Qué guapo, ${i}`)
  t.other = openPostgres(await postgresUrlOf(t.db), { maxConnections: 4 })
})
locks.after.each(async ({ db, other }) => {
  for (const open of gates) open()
  gates.clear()
  await other.destroy()
  await db.destroy()
})

const countComments = async (db: Db, table: 'comments' | 'held_comments') =>
  (await db.selectFrom(table).select('id').execute()).length

async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('not within 10 s')
    await wait(10)
  }
}

/** The lock of the dog's rows, in `pg_locks`. */
const isRowsLock = (dogId: string) => sql`locktype = 'advisory' AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = hashtextextended(${`dog-rows:${dogId}`}, 0)`

const countLocks = async ({ other, toby }: World, isGranted: boolean): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_locks
    WHERE ${isRowsLock(toby.id)} AND granted = ${isGranted}`.execute(other)
  return rows[0]!.count
}

const killHolder = ({ other, toby }: World) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${isRowsLock(toby.id)} AND granted`.execute(other)

/** What a failing test has left closed. */
const gates = new Set<() => void>()

/** A promise that the test resolves, or its end. */
function createGate() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  gates.add(open)
  return { open, isOpen }
}

/** Takes the write lock, so that the next transaction waits. @returns when it has it, and what releases it */
function blockWriters({ other }: World) {
  const [gate, locked] = [createGate(), createGate()]
  const blocking = other.transaction().execute(async (trx) => {
    await takeWriteLock(trx)
    locked.open()
    await gate.isOpen
  })
  const unblock = async () => {
    gate.open()
    await blocking
  }
  return { isBlocked: locked.isOpen, unblock }
}

/** Takes the lock of the dog's rows as another process does. @returns releases it */
async function takeLock({ other, toby }: World): Promise<() => Promise<void>> {
  const [gate, taken] = [createGate(), createGate()]
  const holding = other.connection().execute(async (connection) => {
    await sql`SELECT pg_advisory_lock(hashtextextended(${`dog-rows:${toby.id}`}, 0))`.execute(connection)
    taken.open()
    await gate.isOpen
    await sql`SELECT pg_advisory_unlock_all()`.execute(connection)
  })
  await taken.isOpen
  return async () => {
    gate.open()
    await holding
  }
}

/** Ends the connection of the first node's lock, which the other one then has. @returns releases that */
async function loseLock(t: World): Promise<() => Promise<void>> {
  await waitUntil(async () => (await countLocks(t, true)) === 1)
  const taking = takeLock(t)
  await waitUntil(async () => (await countLocks(t, false)) === 1)
  await killHolder(t)
  const release = await taking
  // The first node hears of its loss.
  await wait(50)
  return release
}

/** How many comments are in `table` once the node has had time to move all. */
async function countMoved(t: World, table: 'comments' | 'held_comments'): Promise<number> {
  await wait(300)
  return countComments(t.other, table)
}

locks('work under a key hears that its lock is lost', async (t) => {
  await withDogRows(t.db, t.toby.id, async (lost) => {
    assert.not.ok(lost.aborted)
    await killHolder(t)
    await waitUntil(() => lost.aborted)
    assert.is(toProblem(lost.reason).status, 503)
  })
  await withDogRows(t.db, t.toby.id, async (lost) => assert.not.ok(lost.aborted))
})

locks('a move to quarantine stops, and goes back once the lock is free', async (t) => {
  const { toby } = t
  const state: { unblock?: () => Promise<void> } = {}
  const hide = async (trx: Trx, options: QuarantineOptions) => {
    if (!options.isDryRun) return assert.unreachable('it hides the dog without its lock')
    await quarantineDog(trx, toby.id, 'admin', Date.now(), options)
    // It gets the lock before the first rows move.
    const { unblock } = blockWriters(t)
    await wait(100)
    state.unblock = unblock
  }
  const hiding = withRowsInQuarantine(t.db, toby.id, hide).catch((error: unknown) => toProblem(error).status)
  await waitUntil(() => state.unblock !== undefined)
  const release = await loseLock(t)
  await state.unblock!()
  const moved = await countMoved(t, 'held_comments')
  assert.ok(moved <= COMMENTS_PER_BATCH, `${moved} moved`)
  await release()
  assert.is(await hiding, 503)
  assert.is(await countComments(t.db, 'comments'), COMMENT_COUNT)
})

locks('a move back stops, and the next start continues', async (t) => {
  const { db, toby } = t
  await withRowsInQuarantine(
    db,
    toby.id,
    async (trx, options) => void (await quarantineDog(trx, toby.id, 'admin', 1, options)),
  )
  await db.transaction().execute((trx) => restoreDog(trx, toby.id))
  const { isBlocked, unblock } = blockWriters(t)
  await isBlocked
  const restoring = restoreRowsOfDog(db, toby.id).catch((error: unknown) => toProblem(error).status)
  const release = await loseLock(t)
  await unblock()
  const moved = await countMoved(t, 'comments')
  assert.ok(moved <= COMMENTS_PER_BATCH, `${moved} moved`)
  await release()
  assert.is(await restoring, 503)
  await resumeRestores(db)
  assert.is(await countComments(db, 'comments'), COMMENT_COUNT)
})

locks.run()
