import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeOutcome } from '#features/maintenance/backup-record.server.ts'
import { signInMember } from '#tests/support/members.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { STATEMENTS_PER_SCRAPE } from '#tests/support/load/measure.ts'
import { openEventStream } from '#tests/support/live/event-stream.ts'
import { answered, assert, assertMatches, assertNoMatch, call, serverSuite } from '#tests/support/suites.ts'

const TOKEN = 'una-clave-de-pruebas'
const metrics = serverSuite('api/server/metrics', {
  METRICS_TOKEN: TOKEN,
  PAGE_CACHE_POLL_MS: '3600000',
  RENDERS_PER_MINUTE: '200',
})

const ask = (server: TestServer, authorization = `Bearer ${TOKEN}`) =>
  call(server, '/metrics', { headers: { Authorization: authorization } })

/** The value of one line of the figures; 0 where it is not there. */
async function readMetric(server: TestServer, name: string): Promise<number> {
  const line = ((await ask(server)).body as string).split('\n').find((text) => text.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}

metrics('metrics require the token, and are absent without the setting', async ({ server }) => {
  const { headers, body } = await answered(200, ask(server))
  assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  assert.is(headers.get('cache-control'), 'no-store')
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds', 'nodejs_heap_size_used_bytes'])
    assert.match(body, new RegExp(`^${name} [\\d.e-]+$`, 'm'))
  for (const wrong of ['', 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`]) {
    const refused = await ask(server, wrong)
    assert.equal([refused.status, refused.body, refused.headers.get('www-authenticate')], [401, undefined, 'Bearer'])
  }
  await using without = await startServer()
  assert.is((await ask(without)).status, 404)
})

metrics('a cached page and a 304 send no statement to the database', async ({ server }) => {
  const sent = () => readMetric(server, 'perrario_database_statements_total')
  const first = await call(server, '/comunidad')
  const hits = await readMetric(server, 'perrario_page_cache_total{store="visitors",event="hits"}')
  const before = await sent()
  assert.ok(before > 0)
  for (let n = 0; n < 5; n++) assert.is((await call(server, '/comunidad')).status, 200)
  const known = { 'If-None-Match': first.headers.get('etag')! }
  assert.is((await call(server, '/comunidad', { headers: known })).status, 304)
  assert.is(await sent(), before + STATEMENTS_PER_SCRAPE)
  assert.is(await readMetric(server, 'perrario_page_cache_total{store="visitors",event="hits"}'), hits + 5)
  assert.is(await readMetric(server, 'perrario_page_cache_total{store="visitors",event="unchanged"}'), 1)
  await call(server, '/api/dogs')
  assert.ok((await sent()) > before)
})

metrics('pages that members share have a store of their own', async ({ server }) => {
  const { cookie } = await signInMember(server)
  for (const path of ['/perros', '/razas/beagle']) await call(server, path, { cookie })
  assert.ok((await readMetric(server, 'perrario_page_cache_pages{store="members"}')) > 0)
  assert.ok((await readMetric(server, 'perrario_page_cache_bytes{store="members"}')) > 1000)
})

metrics('metrics count requests by kind and status, never by path', async ({ server }) => {
  const api = () => readMetric(server, 'perrario_http_requests_total{kind="api",method="GET",status="404"}')
  const before = await api()
  for (let n = 0; n < 40; n++) await call(server, `/api/nada-${n}/secreto-${n}?x=${n}`)
  for (let n = 0; n < 5; n++) await call(server, `/no/hay/${n}`)
  for (const method of ['PROPFIND', 'LOCK']) await call(server, '/api/nada', { method })
  assert.is(await api(), before + 40)
  const { body } = await ask(server)
  assertNoMatch(body, 'nada', 'secreto')
  assertMatches(body, 'method="other"', /perrario_http_request_seconds_bucket\{le="0\.01",kind="api"\} \d+/)
  const series = (body as string).split('\n').filter((line) => line.startsWith('perrario_http_requests_total')).length
  assert.ok(series < 15, `${series} series`)
})

metrics('health checks are a kind of their own, and no page', async ({ server }) => {
  const count = (kind: string) =>
    readMetric(server, `perrario_http_requests_total{kind="${kind}",method="GET",status="200"}`)
  const before = { page: await count('page'), health: await count('health') }
  for (const path of ['/healthz', '/healthz/live', '/healthz?x=1']) await call(server, path)
  assert.equal({ page: await count('page'), health: await count('health') }, { ...before, health: before.health + 3 })
  assert.match((await ask(server)).body, /^perrario_http_request_seconds_count\{kind="health"\} \d+$/m)
})

metrics('metrics report refusals, live streams, queues and the last backup', async ({ server }) => {
  const ana = await signInMember(server)
  const stream = await openEventStream(`${server.url}/api/events`, { cookie: ana.cookie })
  assert.is(await readMetric(server, 'perrario_live_streams'), 1)
  stream.close()
  for (let n = 0; n < 220; n++) await call(server, `/perros?breed=raza-${n}`)
  assert.ok((await readMetric(server, 'perrario_refused_total{limit="page-render"}')) > 10)
  for (const name of ['perrario_pictures_waiting', 'perrario_push_waiting'])
    assert.match((await ask(server)).body, new RegExp(`^${name} 0$`, 'm'))
  const backups = join(server.dataDir, 'backups')
  assert.not.match((await ask(server)).body, /^perrario_backup_ok \d/m)
  mkdirSync(join(backups, '2026-11-20T03-00-00Z'), { recursive: true })
  await writeOutcome(backups, { at: 1, ok: false, text: 'no queda sitio' })
  assert.is(await readMetric(server, 'perrario_backup_newest_timestamp_seconds'), Date.UTC(2026, 10, 20, 3) / 1000)
  assert.match((await ask(server)).body, /^perrario_backup_ok 0$/m)
})
