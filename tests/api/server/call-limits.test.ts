import { assert, call, startServer, suite } from '#tests/support/suites.ts'

const limits = suite('api/server/call-limits')
const TOKEN = 'una-clave-de-pruebas'

limits('a call beyond the limit of its network is refused before its session is looked up', async () => {
  await using server = await startServer({
    METRICS_TOKEN: TOKEN,
    RENDERS_PER_MINUTE: '20',
    PAGE_CACHE_POLL_MS: '3600000',
  })
  const countStatements = async () => {
    const { body } = await call(server, '/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } })
    return Number(/^perrario_database_statements_total (\d+)$/m.exec(body)![1])
  }
  const cookie = `perrario=${'s'.repeat(32)}`
  for (let n = 0; n < 40; n++) assert.is((await call(server, '/api/session', { cookie })).status, 200)
  const before = await countStatements()
  for (const path of ['/api/session', '/api/events', '/api/events?after=1'])
    for (let n = 0; n < 30; n++) {
      const { status, headers, body } = await call(server, path, { cookie })
      assert.is(status, 429, path)
      assert.ok(Number(headers.get('retry-after')) > 0, path)
      assert.is(body.status, 429, path)
    }
  // A background job may send a few meanwhile.
  assert.ok((await countStatements()) - before < 30)
})
