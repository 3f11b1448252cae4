import { once } from 'node:events'
import { createServer } from 'node:http'
import { openHub } from '#features/live/hub.server.ts'
import { hubSuite } from '#tests/support/live/hub-suite.ts'
import { assert } from '#tests/support/suites.ts'

const live = hubSuite('unit/live/stream-shares')

live('networks that take all streams and never read keep nobody else out', async (w) => {
  w.hub.close()
  w.hub = await openHub(w.db, { identify: async () => null, tickMs: 5, maxStreams: 20, maxStreamsPerSite: 10 })
  const network = { name: '' }
  const server = createServer((req, res) => w.hub.handle(req, res, network.name, () => res.writeHead(404).end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/api/events`
  const stop = new AbortController()
  const openFrom = async (name: string) => {
    network.name = name
    return (await fetch(url, { signal: stop.signal })).status
  }
  try {
    for (let n = 0; n < 20; n++) assert.is(await openFrom(n % 2 ? '192.0.2.1' : '192.0.2.2'), 200)
    for (let n = 0; n < 8; n++) assert.is(await openFrom(`198.51.100.${n}`), 200)
    assert.is(await openFrom('192.0.2.1'), 503)
  } finally {
    stop.abort()
    server.closeAllConnections()
    server.close()
  }
})
