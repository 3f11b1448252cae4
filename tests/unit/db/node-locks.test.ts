import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { runExclusively, tryExclusively } from '#db/dialect/exclusive.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, captureConsole, type Db, suite } from '#tests/support/suites.ts'

const locks = suite('unit/db/node-locks')

/** What the test under way has started. */
const jobs: ReturnType<typeof runExclusively>[] = []

async function withNodes(test: (nodes: [Db, Db]) => Promise<void>): Promise<void> {
  const first = freshPostgresDb()
  await sql`SELECT 1`.execute(first)
  const second = openPostgres(await postgresUrlOf(first), { maxConnections: 3 })
  try {
    await test([first, second])
  } finally {
    await Promise.all(jobs.splice(0).map((job) => job.close()))
    await second.destroy()
    await first.destroy()
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; !isTrue(); i++) {
    if (i > 400) throw new Error('it never came')
    await wait(10)
  }
}

/** Starts a job on a node, and notes what happens to it. */
function contend(db: Db, node: string, notes: string[]) {
  const start = () => {
    notes.push(`${node} runs`)
    return {
      async close() {
        notes.push(`${node} ends`)
      },
    }
  }
  const job = runExclusively(db, 'jobs', start, { retryMs: 20, onLost: () => notes.push(`${node} lost it`) })
  jobs.push(job)
  return job
}

/** Ends the connection that has a lock, as `kill -9` of its node does. */
const killHolder = (db: Db) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db)

locks('a job runs on one node, and on another once that one is closed', () =>
  withNodes(async ([first, second]) => {
    const notes: string[] = []
    const one = contend(first, 'one', notes)
    await until(() => notes.length === 1)
    const two = contend(second, 'two', notes)
    await wait(150)
    assert.equal(notes, ['one runs'])
    await one.close()
    await until(() => notes.length === 3)
    await two.close()
    assert.equal(notes, ['one runs', 'one ends', 'two runs', 'two ends'])
  }),
)

locks('where the connection of a node ends, its job is closed and another node takes over', () =>
  withNodes(async ([first, second]) => {
    const notes: string[] = []
    const one = contend(first, 'one', notes)
    await until(() => notes.length === 1)
    const two = contend(second, 'two', notes)
    await killHolder(second)
    await until(() => notes.includes('one ends') && notes.filter((note) => note.endsWith('runs')).length === 2)
    assert.equal(notes.slice(0, 3).toSorted(), ['one ends', 'one lost it', 'one runs'].toSorted())
    await killHolder(second)
    await until(() => notes.filter((note) => note.endsWith('runs')).length === 3)
    await Promise.all([one.close(), two.close()])
    for (const node of ['one', 'two'])
      assert.is(
        notes.filter((note) => note === `${node} runs`).length,
        notes.filter((note) => note === `${node} ends`).length,
      )
  }),
)

locks('a job that cannot start is logged, frees its lock and is tried again', () =>
  withNodes(async ([first, second]) => {
    using logged = captureConsole()
    let [starts, isBroken] = [0, true]
    const start = () => {
      starts++
      if (isBroken) throw new Error('no disk')
      return { close: async () => {} }
    }
    const job = runExclusively(first, 'jobs', start, { retryMs: 20 })
    jobs.push(job)
    await until(() => starts > 1)
    assert.is(logged[0], 'perrario · «jobs» no ha podido empezar o acabar en este nodo: Error: no disk')
    let hasRun = false
    while (!hasRun) hasRun = await tryExclusively(second, 'jobs', async () => {})
    isBroken = false
    const before = starts
    await until(() => starts > before)
    await job.close()
  }),
)

locks('a job that cannot end is logged, and its lock is free for the next node', () =>
  withNodes(async ([first, second]) => {
    using logged = captureConsole()
    let starts = 0
    const start = () => {
      starts++
      return { close: () => Promise.reject(new Error('stuck')) }
    }
    const job = runExclusively(first, 'jobs', start, { retryMs: 20 })
    jobs.push(job)
    await until(() => starts === 1)
    await killHolder(second)
    await until(() => starts === 2)
    await job.close()
    assert.is(logged.length, 2)
    assert.match(logged[1]!, /«jobs» no ha podido .*Error: stuck$/)
    assert.is(await tryExclusively(second, 'jobs', async () => {}), true)
  }),
)

locks('of several pieces of work with one name one runs at a time, here and elsewhere', () =>
  withNodes(async ([first, second]) => {
    let release!: () => void
    const held = new Promise<void>((resolve) => (release = resolve))
    const running = tryExclusively(first, 'device', () => held)
    await wait(50)
    const refuse = async () => assert.unreachable('it runs twice')
    assert.is(await tryExclusively(first, 'device', refuse), false)
    assert.is(await tryExclusively(second, 'device', refuse), false)
    assert.is(await tryExclusively(second, 'another device', async () => {}), true)
    release()
    assert.is(await running, true)
    assert.is(await tryExclusively(second, 'device', async () => {}), true)
    const failure = await tryExclusively(second, 'device', () => Promise.reject(new Error('mal'))).catch(String)
    assert.is(failure, 'Error: mal')
    assert.is(await tryExclusively(first, 'device', async () => {}), true)
  }),
)

locks('all locks of a node are on one connection, which the pool has back after the last', () =>
  withNodes(async ([first, second]) => {
    const count = async () =>
      (
        await sql<{ count: number }>`SELECT count(DISTINCT pid) AS count FROM pg_locks WHERE locktype = 'advisory'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(second)
      ).rows[0]?.count
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(
      names.map((name) =>
        tryExclusively(first, name, async () => {
          await wait(100)
          assert.is(await count(), 1)
        }),
      ),
    )
    assert.is(await count(), 0)
    // All four connections of the pool.
    await Promise.all([1, 2, 3, 4].map(() => sql`SELECT pg_sleep(0.05)`.execute(first)))
  }),
)

locks('work hears that its lock is lost', () =>
  withNodes(async ([first, second]) => {
    await tryExclusively(first, 'device', async (lost) => {
      await killHolder(second)
      await until(() => lost.aborted)
    })
    assert.is(await tryExclusively(first, 'device', async () => {}), true)
  }),
)

locks('where one process has the database, work runs at once', async () => {
  await using db = sqliteDb()
  const notes: string[] = []
  const job = contend(db, 'one', notes)
  assert.equal(notes, ['one runs'])
  assert.is(await tryExclusively(db, 'device', async () => {}), true)
  await job.close()
  assert.equal(notes, ['one runs', 'one ends'])
})
