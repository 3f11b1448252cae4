import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startNodes, type TestNodes } from '#tests/support/nodes/nodes.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { assert, call, type Db, member, seed, signInMember, suite } from '#tests/support/suites.ts'

// What one node counts, makes or runs, the other knows of.

const shared = suite<{ nodes: TestNodes; db: Db }>('api/nodes/shared-state')

shared.before(async (t) => {
  t.nodes = await startNodes()
  t.db = openServerDatabase(t.nodes)
})
shared.after(async ({ nodes, db }) => {
  await db.destroy()
  await nodes.dispose()
})

shared('a limit counts the requests of both nodes, at the same moment as well', async ({ nodes: { nodes } }) => {
  const [here, there] = nodes
  const statuses = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const json = { email: `vecina${i}@ejemplo.es` }
      const { status } = await call(i % 2 === 0 ? here : there, '/api/auth/magic-link', { method: 'POST', json })
      return status
    }),
  )
  assert.equal(
    [202, 429].map((each) => statuses.filter((status) => status === each).length),
    [10, 14],
  )
})

shared('both nodes give browsers the same push key', async ({ nodes: { nodes } }) => {
  const keys = await Promise.all(
    nodes.map(async (node) => {
      const { cookie } = await signInMember(node, 'ana@ejemplo.es')
      return (await call(node, '/api/push', { cookie })).body.key
    }),
  )
  assert.match(keys[0], /^[\w-]{87}$/)
  assert.is(keys[1], keys[0])
})

/** The connection whose node runs the site's jobs; null for none. */
async function findJobsHolder(db: Db): Promise<number | null> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND (classid::bigint << 32) | objid::bigint = hashtextextended('site jobs', 0)
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db)
  assert.ok(rows.length <= 1, `${rows.length} nodes run the jobs`)
  return rows[0]?.pid ?? null
}

/** Long enough for a busy machine; without faults it takes two seconds. */
const TAKEOVER_MS = 20_000

async function until<T>(find: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  for (const end = Date.now() + TAKEOVER_MS; ; await wait(50)) {
    const found = await find()
    if (found) return found
    assert.ok(Date.now() < end, what)
  }
}

shared('where the node of the jobs is killed, the other goes on with what it left', async ({ nodes, db }) => {
  const [here, there] = nodes.nodes
  await there.kill()
  const before = await until(() => findJobsHolder(db), 'the node that is left runs the jobs')
  await there.restart()
  await wait(500)
  assert.is(await findJobsHolder(db), before)
  const [{ id }] = await seed(db, member())
  await db.insertInto('account_erasures').values({ user_id: id, dogs: 'delete', created_at: Date.now() }).execute()
  await here.kill()
  await until(async () => ![null, before].includes(await findJobsHolder(db)), 'the other node runs the jobs')
  const findUser = () => db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  await until(async () => (await findUser()) === undefined, 'it goes on with the erasure')
})
