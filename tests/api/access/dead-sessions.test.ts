import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { sessionCookieName } from '#features/auth/auth.ts'
import { createSession, endSession } from '#features/auth/sessions/sessions.server.ts'
import { deleteAccount } from '#features/account/erase.server.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { methodOf } from '#tests/support/matrix/rows.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { signInMember } from '#tests/support/members.ts'
import { noisePhoto } from '#tests/support/photos/sample-photos.ts'
import { accountDeletionBody, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { refreshBadges } from '#tests/support/jobs.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { assert, call, type Db, formOf, serverDbSuite, type ServerDbWorld } from '#tests/support/suites.ts'

// Every write with a session that is over, however it ended: nothing of it is stored as if a visitor had sent it.

const ADMIN = 'admin@ejemplo.es'

interface Context extends ServerDbWorld {
  world: MatrixWorld
}
const dead = serverDbSuite<Context>('api/access/dead-sessions', { ADMIN_EMAIL: ADMIN, TRUST_PROXY: '1' })

dead.before(async (t) => {
  t.world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
})

const cookieOf = (token: string) => `${sessionCookieName(false)}=${token}`

const WAYS_TO_END: Record<string, (t: Context) => Promise<string>> = {
  expired: ({ world }) => world.cookieOf('expired'),
  closed: async ({ db }) => {
    const [eva] = await seed(db, member())
    const { token } = await createSession(db, eva.id)
    await endSession(db, token)
    return cookieOf(token)
  },
  'its account deleted': async ({ db, server }) => {
    const [eva] = await seed(db, member())
    const { token } = await createSession(db, eva.id)
    await deleteAccount(db, server.dataDir, withRecentSignIn(eva), { dogs: 'keep', alias: eva.alias })
    return cookieOf(token)
  },
  'a made-up token': async () => cookieOf('caducada'),
}

/**
 * Rows that a request for a mail or a code adds with any session, dead sessions, which are deleted when they are sent, and what limits
 * count on PostgreSQL.
 */
const OTHER_TABLES = ['sign_in_tokens', 'sessions', 'node_counters']

async function countRows(db: Db): Promise<Record<string, number>> {
  const { jobs, ...others } = await readAllRows(db)
  // What the server does of itself, some seconds after its start, does not count.
  const tables = Object.entries({ ...others, jobs: jobs!.filter(({ key }) => key !== 'always') }).filter(
    ([name]) => !OTHER_TABLES.includes(name),
  )
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.length]))
}

let attempts = 0
const address = () => ({ 'X-Forwarded-For': `10.1.${++attempts >> 8}.${attempts & 255}` })

for (const [way, end] of Object.entries(WAYS_TO_END))
  dead(`${way}: every write is answered as its row expects, and adds no row`, async (t) => {
    const { db, server, world } = t
    const cookie = await end(t)
    const found: Record<string, number> = {}
    // Badges come after the actions that earn them.
    await refreshBadges(db)
    const before = await countRows(db)
    const photos = readdirSync(join(server.dataDir, 'photos')).toSorted()
    for (const [name, { send, path }] of Object.entries(WRITES)) {
      const sent = (await send?.(world, 'expired')) ?? {}
      const method = methodOf(name).replace('ALL', 'POST')
      const headers = { ...sent.headers, ...address() }
      found[name] = (await call(server, path(world), { ...sent, method, cookie, headers })).status
    }
    assert.equal(found, Object.fromEntries(Object.entries(WRITES).map(([name, row]) => [name, row.statuses.expired])))
    assert.equal(await countRows(db), before)
    assert.equal(readdirSync(join(server.dataDir, 'photos')).toSorted(), photos)
  })

dead('an upload whose account is deleted meanwhile is 401 and leaves no file', async ({ server }) => {
  const eva = await signInMember(server, 'eva@ejemplo.es')
  const image = new Blob([await noisePhoto(600, 600)], { type: 'image/jpeg' })
  const form = new Response(formOf({ name: 'Toby', breed: 'beagle', images: [image, image] }))
  const body = Buffer.from(await form.arrayBuffer())
  const before = readdirSync(join(server.dataDir, 'photos')).toSorted()
  const headers = {
    Cookie: eva.cookie,
    'Content-Type': form.headers.get('content-type')!,
    'Content-Length': body.length,
    Expect: '100-continue',
    ...address(),
  }
  const sent = request(`${server.url}/api/dogs`, { method: 'POST', headers })
  const answer = new Promise<number>((resolve, reject) => {
    sent.on('response', (res) => {
      res.resume()
      resolve(res.statusCode!)
    })
    sent.on('error', reject)
  })
  // The server has read the head, and with it the session.
  await new Promise((resolve) => sent.once('continue', resolve).flushHeaders())
  sent.write(body.subarray(0, body.length / 2))
  const json = await accountDeletionBody(server, eva.cookie)
  assert.is((await call(server, '/api/account', { method: 'DELETE', cookie: eva.cookie, json })).status, 204)
  sent.end(body.subarray(body.length / 2))
  assert.is(await answer, 401)
  assert.equal(readdirSync(join(server.dataDir, 'photos')).toSorted(), before)
  assert.not.match(server.output(), /FOREIGN KEY/)
})
