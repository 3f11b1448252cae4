import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { paths } from '#lib/paths.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { startNodes, type TestNodes } from '#tests/support/nodes/nodes.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { type Answer, assert, call, type Db, dog, seed, suite, type TestServer } from '#tests/support/suites.ts'

// Writes that wait for the write lock leave connections to everybody else, however many there are and whoever has it.

interface World {
  nodes: TestNodes
  db: Db
  members: TestMember[]
  locker: Client
}
const locks = suite<World>('api/nodes/lock-waits')

/** More than a node has connections. */
const WRITERS = 24

locks.before(async (t) => {
  t.nodes = await startNodes()
  t.db = openServerDatabase(t.nodes)
  t.members = await Promise.all(
    Array.from({ length: WRITERS }, (_, i) => signInMember(t.nodes.nodes[0], `socia${i}@ejemplo.es`)),
  )
  t.locker = new Client({ connectionString: t.nodes.databaseUrl })
  await t.locker.connect()
})
locks.after(async ({ nodes, db, locker }) => {
  await locker.end()
  await db.destroy()
  await nodes.dispose()
})

async function addDog(db: Db): Promise<{ id: string; path: string }> {
  const [{ id }] = await seed(db, dog({ name: 'Toby' }))
  const address = db.selectFrom('dogs').select(['path_breed', 'path_slug']).where('id', '=', id)
  return { id, path: paths.dog(await address.executeTakeFirstOrThrow()) }
}

const likeAll = (node: TestServer, members: readonly TestMember[], id: string): Promise<Answer[]> =>
  Promise.all(members.map(({ cookie }) => call(node, `/api/dogs/${id}/like`, { method: 'PUT', cookie })))

/** The lock that every transaction that writes holds (db/dialect/write-lock.ts). */
const TAKE_WRITE_LOCK = 'SELECT pg_advisory_xact_lock(1)'

/** Far longer than an answer takes, and far shorter than a statement may. */
const ANSWER_MS = 8000
const WAITS_BEGIN_MS = 1500

/** Everything that only reads, one after another, while others wait. */
async function assertReadable(node: TestServer, member: TestMember): Promise<void> {
  for (const [path, cookie] of [
    ['/healthz', undefined],
    ['/api/dogs', undefined],
    ['/api/likes', member.cookie],
    ['/perros', member.cookie],
    ['/healthz', undefined],
  ] as const) {
    const { status } = await Promise.race([
      call(node, path, { cookie }),
      wait(ANSWER_MS, { status: `none within ${ANSWER_MS} ms` }, { ref: false }),
    ])
    assert.equal([path, status], [path, 200])
  }
}

function assertLikedOrBusy(answers: readonly Answer[]): void {
  for (const { status, headers } of answers)
    assert.ok(status === 200 || (status === 503 && headers.has('retry-after')), String(status))
}

locks('while another process keeps the write lock, reads are answered', async ({ nodes, db, members, locker }) => {
  const [here] = nodes.nodes
  const toby = await addDog(db)
  await locker.query('BEGIN')
  await locker.query(TAKE_WRITE_LOCK)
  const likes = likeAll(here, members, toby.id)
  try {
    await wait(WAITS_BEGIN_MS)
    await assertReadable(here, members[0]!)
    // Nobody waits until the lock ends.
    const answers = await likes
    assertLikedOrBusy(answers)
    assert.ok(answers.some(({ status }) => status === 503))
  } finally {
    await locker.query('ROLLBACK')
    await likes
  }
  assert.is((await likeAll(here, members.slice(0, 1), toby.id))[0]!.status, 200)
})

locks('a node that is frozen in a transaction holds up no reads of another, and its lock ends', async (t) => {
  const [frozen, healthy] = t.nodes.nodes
  const toby = await addDog(t.db)
  const [first, ...others] = t.members
  await t.locker.query('BEGIN')
  await t.locker.query(TAKE_WRITE_LOCK)
  const held = likeAll(frozen, [first!], toby.id)
  await wait(500)
  process.kill(frozen.pid(), 'SIGSTOP')
  try {
    // The frozen node's transaction gets the lock, and nobody goes on with it.
    await t.locker.query('ROLLBACK')
    const likes = likeAll(healthy, others, toby.id)
    await wait(WAITS_BEGIN_MS)
    await assertReadable(healthy, others[0]!)
    assertLikedOrBusy(await likes)
    const end = Date.now() + 20_000
    while ((await likeAll(healthy, others.slice(0, 1), toby.id))[0]!.status !== 200)
      assert.ok(Date.now() < end, 'the lock of the frozen node ends')
  } finally {
    process.kill(frozen.pid(), 'SIGCONT')
  }
  assertLikedOrBusy(await held)
  for (const end = Date.now() + 20_000; (await call(frozen, '/healthz')).status !== 200; await wait(100))
    assert.ok(Date.now() < end, 'the node goes on')
  assert.is((await likeAll(frozen, [first!], toby.id))[0]!.status, 200)
})
