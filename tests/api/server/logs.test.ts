import { call, type Json } from '#tests/support/api.ts'
import { isPostgresRun } from '#tests/support/db.ts'
import { withoutDogsTable } from '#tests/support/missing-table.ts'
import { readOutbox } from '#tests/support/outbox.ts'
import { runToEnd, type TestServer } from '#tests/support/server.ts'
import { answered, assert, detailOf, serverSuite, signInMember } from '#tests/support/suites.ts'

/** What the database says of a table that does not exist. */
const MISSING_TABLE = isPostgresRun ? 'relation "dogs" does not exist' : 'no such table: dogs'

const logs = serverSuite('api/server/logs', { LOG: 'json', LOG_REQUESTS: 'on' })

/** Every line so far; one that is no JSON fails the test. */
const readLines = (server: TestServer): Json[] =>
  server
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Answers once a line says so. */
async function line(server: TestServer, is: (line: Json) => boolean): Promise<Json> {
  for (;;) {
    const found = readLines(server).find(is)
    if (found) return found
    await new Promise((done) => setTimeout(done, 20))
  }
}

logs('each line is JSON with time, level and message', async ({ server }) => {
  const ready = await line(server, ({ msg }) => msg.startsWith('listo en '))
  assert.is(ready.level, 'info')
  assert.ok(Math.abs(Date.parse(ready.time) - Date.now()) < 600_000)
})

logs(
  'a request that is not answered from the page cache has an id, in the response and in the log',
  async ({ server }) => {
    const { headers } = await call(server, '/api/dogs?breed=beagle', { headers: { 'X-Request-Id': 'mine' } })
    const id = headers.get('x-request-id')!
    assert.match(id, /^[0-9a-f]{8}-[0-9a-z]+$/)
    const { req, level, kind, method, path, status, ms } = await line(server, (each) => each.req === id)
    assert.equal([req, level, kind, method, path, status], [id, 'info', 'api', 'GET', '/api/dogs', 200])
    assert.type(ms, 'number')
    for (const path of ['/api/nada', '/login', '/perfil', '/api/dogs/x'])
      assert.match((await call(server, path)).headers.get('x-request-id')!, /^[0-9a-f]{8}-/, path)
    const big = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: `"${'x'.repeat(70_000)}"` }
    assert.ok((await call(server, '/api/auth/magic-link', big)).headers.get('x-request-id'))
    await call(server, '/comunidad')
    assert.is((await call(server, '/comunidad')).headers.get('x-request-id'), null)
    const after = (await call(server, '/api/dogs?size=mini')).headers.get('x-request-id')
    await line(server, (each) => each.req === after)
    const told = readLines(server).filter((each) => each.path === '/comunidad')
    assert.is(told.length, 1, 'its first render is logged; a kept page is counted only')
  },
)

logs('the request id on the error page identifies its log line', async ({ server }) => {
  await withoutDogsTable(server, async () => {
    const api = await call(server, '/api/dogs')
    assert.equal(detailOf(api), [500, 'Error inesperado. Intenta de nuevo.'])
    assert.is(api.body.requestId, api.headers.get('x-request-id'))
    const why = await line(server, ({ req, err }) => err && req === api.body.requestId)
    assert.equal([why.level, why.err.message], ['error', MISSING_TABLE])
    assert.match(why.err.stack, /\n +at /)
    assert.ok(await line(server, ({ req, status }) => req === api.body.requestId && status === 500))

    const page = await answered(500, call(server, '/razas/beagle?x=secreto'))
    const id = page.headers.get('x-request-id')!
    assert.match(page.body, `Código: ${id}`)
    assert.ok(await line(server, ({ req, err, msg }) => req === id && (err || msg.includes(MISSING_TABLE))))
  })
  assert.is((await call(server, '/razas/beagle')).status, 200)
})

logs('no line contains an address, an alias, a session, a token or a location', async ({ server }) => {
  const ana = await signInMember(server, 'ana.sin.rastro@ejemplo.es')
  await call(server, '/api/auth/magic-link', { method: 'POST', json: { email: ana.email } })
  const [mail] = await readOutbox(server.dataDir)
  const { pathname, search } = new URL(mail!.link)
  await call(server, pathname + search)
  await call(server, `/baja?token=secreto-de-baja`)
  await call(server, '/perfil', { cookie: ana.cookie })
  await call(server, '/api/profile', {
    method: 'PUT',
    cookie: ana.cookie,
    json: { alias: 'Ana Sin Rastro', emoji: '🐶' },
  })
  await call(server, `/usuario/${encodeURIComponent(ana.email)}`)
  await withoutDogsTable(server, async () => {
    await call(server, `/api/dogs?breed=${ana.email}`, { cookie: ana.cookie })
    await call(server, '/perfil?alias=ana.sin.rastro@ejemplo.es', { cookie: ana.cookie })
  })
  await line(server, ({ path }) => path === '/perfil')
  const text = server.output()
  for (const secret of ['ana.sin.rastro', 'Sin Rastro', ana.alias, ana.token, search.slice(7), 'secreto', '127.0.0.1'])
    assert.not.match(text, secret)
})

logs('an invalid setting is logged in the log’s own format and prevents the start', async () => {
  const { code, output } = await runToEnd({ LOG: 'json', PORT: 'ochenta' })
  assert.is(code, 1)
  assert.match(output, 'PORT=ochenta: valor no válido')
})
