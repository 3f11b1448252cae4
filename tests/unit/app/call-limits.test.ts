import { once } from 'node:events'
import { Agent, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPipeline } from '#app/pipeline.ts'
import { openServer } from '#server/connections/http-server.ts'
import { readRequestPath } from '#server/connections/request-path.ts'
import { limitNetworkCall } from '#server/limits/api-limits.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { hostileSpellings } from '#tests/support/hostile-spellings.ts'
import { readPageRoutes } from '#tests/support/matrix/source-routes.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Whatever reaches Astro was counted, by the limits of the address that Astro routes.

interface World {
  server: Server
  agent: Agent
  /** What Astro was asked. */
  reached: string[]
}
const limits = suite<World>('unit/app/call-limits')

const RENDERS_PER_MINUTE = 1
const IP = '127.0.0.1'

limits.before(async (t) => {
  t.reached = []
  const handle = openPipeline({
    env: { trustProxy: false, rendersPerMinute: RENDERS_PER_MINUTE, siteUrl: 'http://perrario.example' },
    cachedPages: undefined,
    files: undefined,
    metrics: undefined,
    live: { handle: (_req, _res, _ip, next) => next() },
    photos: (_req, _res, _network, next) => next(),
    astro: async (req, res) => {
      t.reached.push(`${req.method} ${req.url}`)
      res.end()
    },
    requestLog: (_req, _res, id) => ({ kind: 'page', id }),
  })
  const settings = {
    headersSeconds: 60,
    requestSeconds: 60,
    connectionsPerSite: 0,
    trustProxy: false,
    unreadBytesPerSite: 0,
  }
  t.server = openServer(handle, settings).listen(0, IP)
  t.agent = new Agent({ keepAlive: true })
  await once(t.server, 'listening')
})
limits.after(({ server, agent }) => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

const send = ({ server, agent }: World, method: string, path: string) =>
  new Promise<number>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const headers = { 'Content-Length': '0' }
    const sent = request({ agent, port, host: IP, method, path, headers }, (res) => {
      res.resume()
      res.once('end', () => resolve(res.statusCode!))
    })
    sent.once('error', reject).end()
  })

/** Takes points until none is left. */
async function useUp(take: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await take()
    } catch {
      return
    }
}
const useUpReads = () =>
  useUp(() => limitNetworkCall({ method: 'GET', path: '/api/x', network: IP }, RENDERS_PER_MINUTE))
const useUpPages = () => useUp(() => limit('page-render', IP, RENDERS_PER_MINUTE, 60))
const useUpWrites = () =>
  useUp(() => limitNetworkCall({ method: 'POST', path: '/api/x', network: IP }, RENDERS_PER_MINUTE))

const routes = [...new Set(readPageRoutes().map((route) => route.split(' ')[1]!))]
const addressOf = (route: string) => route.replace(/\[[^\]]+\]/g, 'beagle')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

limits('a network over its limit is refused, by every method and spelling', async (t) => {
  assert.ok(routes.length > 70, `${routes.length} routes`)
  for (const [at, route] of routes.entries()) {
    // A minute may have passed.
    await Promise.all([useUpReads(), useUpPages(), useUpWrites()])
    // Routes take turns: every spelling is tried at thirty of them.
    const spellings = hostileSpellings(addressOf(route)).filter((_, n) => (n + at) % 3 === 0)
    const asked = [
      ...METHODS.map((method) => [method, addressOf(route)] as const),
      ...spellings.map((path, n) => [METHODS[(at + n) % METHODS.length]!, path] as const),
    ]
    for (const [method, path] of asked) {
      const status = await send(t, method, path)
      if (![301, 308, 400, 405, 429].includes(status)) assert.unreachable(`${method} ${path}: ${status}`)
    }
  }
  assert.equal(t.reached, [])
})

limits('each address has one path, the one that Astro routes', () => {
  const paths: Record<string, string | null> = {
    '/': '/',
    '/perros?breed=../x': '/perros',
    '/razas/Pastor%20Alem%C3%A1n': '/razas/Pastor Alemán',
    '/%61pi/d%6Fcs/': '/api/docs',
    '/%2561pi/docs': '/api/docs',
    '//api//docs?\xff': '/api/docs',
    '/razas%2fbeagle': '/razas%2fbeagle',
    '/razas/100%25': '/razas/100%',
    '/%zz/x': '/%zz/x',
    '/.well-known/x': '/.well-known/x',
    '/..x/y..': '/..x/y..',
    '/api/../perfil': null,
    '/api/.%2E/perfil': null,
    '/api/%25252e%25252e/perfil': null,
    '/api/.%09./perfil': null,
    '/api/..': null,
    '/./perfil': null,
    '/perfil%5c': null,
    '/perfil\\': null,
    '/api/docs#x': null,
    'http://perrario.example/perfil': null,
    '*': null,
    [`/%${'25'.repeat(20)}61`]: null,
  }
  for (const [url, path] of Object.entries(paths)) assert.is(readRequestPath(url), path, url)
})
