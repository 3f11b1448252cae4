import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { badges } from '#features/badges/refresh.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { isPostgresRun } from '#tests/support/db.ts'
import { type MatrixRow, methodOf, routeOf } from '#tests/support/matrix/rows.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { createMatrixWorld } from '#tests/support/matrix/world.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { sample } from '#tests/support/sample.ts'
import { readStoredRows } from '#tests/support/rows.ts'
import { assert, call, type Call, serverDbSuite, type ServerDbWorld } from '#tests/support/suites.ts'

// Every write whose body is still arriving while its member closes all sessions: it is refused and changes nothing.

const ADMIN = 'admin@ejemplo.es'

const ended = serverDbSuite('api/access/sessions-ended-meanwhile', { ADMIN_EMAIL: ADMIN, TRUST_PROXY: '1' })

/** Their right is in what they send, or they change nothing: no session counts. */
const WITHOUT_SESSION = [
  'POST /api/account/sessions/[id]/disown',
  'POST /api/unsubscribe',
  'POST /api/digest/unsubscribe',
  'POST /api/lost-alerts/unsubscribe',
  'POST /api/message-mails/confirm',
  'POST /api/message-mails/unsubscribe',
  'POST /compartir',
]
/**
 * Answered before the body arrives: these need nothing of it, this server has neither detection nor providers, and two are no
 * route.
 */
const ANSWERED_AT_ONCE = [
  'POST /api/notifications/[id]',
  'POST /api/account/memories',
  'POST /api/account/sessions',
  'POST /api/account/sessions/[id]',
  'POST /api/account/providers/[provider]',
  'POST /api/dogs/[id]',
  'POST /api/breed-detection',
  'POST /api/auth/[provider]/callback',
  'POST /api/auth/dev',
  'ALL /api/[...rest]',
]

/** Pages that look at the session before the form, which send to the sign-in, and again in the action, which refuses. */
const PAGES_OF_FORMS = ['POST /perdidos/[dogId]', 'POST /perdidos/[dogId]/avistamientos']

/** Writes with a body that is read. A dog out of sight is refused before, and to mark one of another's as lost. */
const NAMES = Object.keys(WRITES).filter((name) => {
  const route = routeOf(name)
  return (
    WRITES[name]!.send &&
    ![...WITHOUT_SESSION, ...ANSWERED_AT_ONCE].includes(route) &&
    !/out of sight|of its discoverer/.test(name)
  )
})

/** Who may do it. */
const ROLES = ['owner', 'member', 'holder', 'admin'] as const
const roleFor = ({ statuses }: MatrixRow): Role =>
  ROLES.find((role) => statuses[role] < 400) ?? ROLES.find((role) => ![401, 403].includes(statuses[role])) ?? 'owner'

/** Far longer than the look-up of a session takes. */
const LOOKUP_MS = 400

let attempts = 0
const address = () => ({ 'X-Forwarded-For': `10.3.${++attempts >> 8}.${attempts & 255}` })

/** Sends all but the last byte of the body, waits for `meanwhile`, and then sends that. */
async function sendSlowly({ server }: ServerDbWorld, path: string, options: Call, meanwhile: () => Promise<void>) {
  const { method = 'POST', cookie = '', json, form } = options
  const body = json === undefined ? (form ?? options.body ?? null) : JSON.stringify(json)
  const whole = new Request(server.url + path, { method, body, headers: options.headers ?? {} })
  const bytes = Buffer.from(await whole.arrayBuffer())
  const type = json === undefined ? whole.headers.get('content-type')! : 'application/json'
  // The first request of a route loads its module, and looks up the session only then.
  await call(server, path, { method, json: null, headers: address() })
  const sent = request(server.url + path, {
    method,
    headers: { ...address(), Cookie: cookie, 'Content-Type': type, 'Content-Length': bytes.length },
  })
  let early: number | undefined
  const answer = new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
    sent.on('response', (res) => {
      early = res.statusCode
      res.resume()
      resolve({ status: res.statusCode!, location: res.headers.location })
    })
    sent.on('error', reject)
  })
  await new Promise<void>((resolve) => void sent.write(bytes.subarray(0, -1), () => resolve()))
  // PostgreSQL has others run while the session of the request is looked up. Nothing tells when that is done.
  if (isPostgresRun) await wait(LOOKUP_MS)
  await meanwhile()
  assert.is(early, undefined, 'it waits for its body')
  sent.end(bytes.subarray(-1))
  return { ...(await answer), type }
}

async function readRows({ db, server }: ServerDbWorld): Promise<unknown> {
  return [await readStoredRows(db), readdirSync(join(server.dataDir, 'photos')).toSorted()]
}

/** Photos, which take longest to arrive, what cannot be undone, and a page. */
const ALWAYS = ['POST /api/dogs', 'PUT /api/dogs/[id]/images', 'DELETE /api/account', 'POST /razas/[raza]']

for (const name of new Set([...ALWAYS, ...sample(NAMES, 10)]))
  ended(name, async (t) => {
    const row = WRITES[name]!
    const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
    // The server would award them in between.
    await runDueJobs(t.db, [badges])
    const role = roleFor(row)
    const cookie = await world.cookieOf(role)
    const sent = await row.send!(world, role)
    let before: unknown
    const { status, location, type } = await sendSlowly(
      t,
      row.path(world),
      { ...sent, method: methodOf(name), cookie },
      async () => {
        const closed = await call(t.server, '/api/account/sessions', { method: 'DELETE', cookie, headers: address() })
        assert.is(closed.status, 200)
        before = await readRows(t)
      },
    )
    const isPage = !name.includes(' /api/')
    const isForm = type.startsWith('application/x-www-form-urlencoded')
    const isSentToSignIn = (isForm && !isPage) || (status === 303 && PAGES_OF_FORMS.includes(routeOf(name)))
    assert.equal([status, location], isSentToSignIn ? [303, '/login'] : [401, undefined])
    assert.equal(await readRows(t), before)
  })

ended('one session that is closed leaves the writes of the others', async (t) => {
  const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
  const cookie = await world.cookieOf('owner')
  const { status } = await sendSlowly(
    t,
    `/api/dogs/${world.dog.id}`,
    { method: 'PATCH', cookie, json: { name: 'Tobías' } },
    async () => {
      const other = await world.cookieOf('member')
      const closed = await call(t.server, '/api/account/sessions', {
        method: 'DELETE',
        cookie: other,
        headers: address(),
      })
      assert.is(closed.status, 200)
    },
  )
  assert.is(status, 200)
})

ended('more than 25 writes are asked', () => assert.ok(NAMES.length > 25, String(NAMES.length)))
