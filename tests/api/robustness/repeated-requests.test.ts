import { sql } from 'kysely'
import { createSession } from '#features/auth/sessions/sessions.server.ts'
import { exchangeRaw } from '#tests/support/malformed/raw-exchange.ts'
import { ROUTES } from '#tests/support/malformed/routes.ts'
import { buildWireRequest } from '#tests/support/malformed/wire-request.ts'
import { startFullServer, type FullServer } from '#tests/support/malformed/full-server.ts'
import { assert, suite } from '#tests/support/suites.ts'

// An answer that is lost on its way has its request sent again. With the same key it has one effect and the same answer, at every address.

/** POSTs that have the same effect however often they are sent: each answers as it is then. */
const IDEMPOTENT: Record<string, string> = {
  'POST /api/auth/code': 'its answer opened a session, and a code signs in once',
  'POST /api/auth/link': 'the same',
  'POST /api/auth/recovery': 'the same',
  'POST /api/auth/passkeys': 'no passkeys are offered at a bare IP address, and each refusal has its own id',
  'POST /api/auth/passkeys/sign-in': 'the same',
  'POST /api/auth/passkeys/options': 'the same',
  'POST /api/account': 'its session has ended by the first',
  'POST /api/account/sessions/[id]/disown': 'the same',
  'POST /api/account/sessions': 'the same',
  'POST /api/account/sessions/[id]': 'the same',
  'POST /api/auth/sign-out': 'the same',
  'POST /api/dogs/[id]': 'what is deleted stays so',
  'POST /api/account/providers/[provider]': 'what is unlinked stays so',
}
/** Rows of these come and go with requests, limits and jobs. */
const OPERATIONAL =
  /^(sqlite_|kysely_|events$|push_|sessions$|idempotency_keys|daily_budgets|badge|found_(scans|matches)|lost_alert|notifications_all$|.*_tallies)/
const KEY = 'k'.repeat(40)

const repeated = suite<{ place: FullServer }>('api/robustness/repeated-requests')
repeated.before(async (t) => {
  t.place = await startFullServer()
})
repeated.after((t) => t.place.close())

async function countRows({ db }: FullServer): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of tables.rows.filter((table) => !OPERATIONAL.test(table.name))) {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`.execute(db)
    counts[name] = rows[0]!.n
  }
  return counts
}

const requests = ROUTES.flatMap((route, at) =>
  (['json', 'form', 'parts'] as const)
    .filter(
      (body) =>
        route.method === 'POST' &&
        (route.fields[body] || (body === 'json' && !route.fields.form && !route.fields.parts)),
    )
    .map((body) => ({ at, name: `POST ${route.path}`, route, body })),
)

repeated('the same POST with the same key has one effect and the same answer, at every address', async ({ place }) => {
  assert.ok(requests.length > 60, `${requests.length} requests`)
  const faults: string[] = []
  for (const { at, name, route, body } of requests) {
    const names = await place.createCommunity(route)
    const wire = buildWireRequest({ route: at, role: 'meant', body, faults: [] }, names, `10.8.${at >> 8}.${at & 255}`)
    const text = wire.bytes.toString('latin1').replace('\r\n', `\r\nIdempotency-Key: ${KEY}${at}${body}\r\n`)
    const send = async () => {
      const { status, headers, body } = await exchangeRaw(place.port, Buffer.from(text, 'latin1'), 20_000, false)
      return [status, headers.location, body.toString('utf8')]
    }
    const first = await send()
    const before = await countRows(place)
    const second = await send()
    const after = await countRows(place)
    const grown = Object.keys(after).filter((table) => after[table]! > before[table]!)
    if (grown.length > 0 && !(name in IDEMPOTENT)) faults.push(`${name} (${body}) adds to ${grown.join()} again`)
    if (!(name in IDEMPOTENT) && JSON.stringify(first) !== JSON.stringify(second))
      faults.push(
        `${name} (${body}) answers ${first.join(' ').slice(0, 200)} and then ${second.join(' ').slice(0, 200)}`,
      )
  }
  assert.equal(faults, [], faults.join('\n'))
})

repeated('a POST without content that has a key runs once too', async ({ place }) => {
  const names = await place.createCommunity()
  const { url } = place.server
  const { publicId } = await createSession(place.db, names.ids.owner!)
  const send = async (path: string) => {
    const headers = { Origin: url, Cookie: names.cookies.owner, 'Idempotency-Key': KEY }
    const answer = await fetch(url + path, { method: 'POST', headers })
    return [answer.status, await answer.text()] as const
  }
  for (const path of ['/api/account/recovery-codes', '/api/album-link', `/api/account/sessions/${publicId}`]) {
    const first = await send(path)
    assert.ok(first[0] < 300, `${path} ${first.join(' ')}`)
    assert.equal(await send(path), first, path)
  }
})

repeated('an answer that opened a session is not given again', async ({ place }) => {
  const { ids } = await place.createCommunity()
  const send = async () => {
    const { url } = place.server
    const headers = { 'Content-Type': 'application/json', Origin: url, 'Idempotency-Key': KEY }
    const body = JSON.stringify({ email: ids.mailed, code: ids.code })
    const answer = await fetch(`${url}/api/auth/code`, { method: 'POST', body, headers })
    return { status: answer.status, isSignedIn: answer.headers.has('set-cookie'), text: await answer.text() }
  }
  const first = await send()
  assert.equal([first.status, first.isSignedIn], [200, true])
  const second = await send()
  assert.is(second.status, 422, second.text)
  assert.not.match(second.text, ids.mailed!)
})

repeated('a key that comes with another body is refused, and one of a failed request is free', async ({ place }) => {
  const names = await place.createCommunity()
  const send = async (content: string) => {
    const headers = { 'Content-Type': 'application/json', Cookie: names.cookies.owner, 'Idempotency-Key': KEY }
    const { url } = place.server
    const address = `${url}/api/dogs/${names.ids.dog}/comments`
    const body = JSON.stringify({ content })
    const answer = await fetch(address, { method: 'POST', body, headers: { ...headers, Origin: url } })
    return [answer.status, (await answer.json()) as { comment?: { id: string } }] as const
  }
  assert.is((await send(' '))[0], 422)
  const [[status, first], [, twin]] = await Promise.all([send('Hola'), send('Hola')])
  assert.equal([status, first], [201, twin], 'two at once are one')
  assert.is((await send('Adiós'))[0], 422)
  const stored = await place.db.selectFrom('idempotency_keys').select('answer').execute()
  assert.not.ok(stored.some(({ answer }) => answer?.includes('Hola')))
})
