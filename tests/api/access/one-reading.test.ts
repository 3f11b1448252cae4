import { Agent, request } from 'node:http'
import { hostileSpellings } from '#tests/support/hostile-spellings.ts'
import { readBuiltRoutes } from '#tests/support/matrix/built-routes.ts'
import { assert, serverSuite, type WorldOf } from '#tests/support/suites.ts'

// A network that has used up its calls and pages is refused at every route, however it spells the address and whatever the
// method: no request reaches Astro by a reading that the limits do not share.

const oneReading = serverSuite('api/access/one-reading', { RENDERS_PER_MINUTE: '1' }, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return { agent }
})
type Context = WorldOf<typeof oneReading>
oneReading.after(({ agent }) => {
  agent.destroy()
})

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const FORM_PAGES = [
  '/razas/[raza]',
  '/compartir',
  '/perfil/seguridad',
  '/perfil/enlace',
  '/perdidos/[dogId]',
  '/perdidos/[dogId]/visto',
  '/perdidos/[dogId]/avistamientos',
  '/encontrados',
  '/encontrados/[id]',
  '/mensajes/[threadId]',
]

/** Moved, unreadable, not that method, too many: nothing was rendered and no statement made. */
const REFUSALS = [301, 308, 400, 405, 429]

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
}
const send = ({ server, agent }: Context, { method, path, headers = {} }: Sent) =>
  new Promise<{ status: number; allow: string | undefined }>((resolve, reject) => {
    const sent = request(server.url, { agent, method, path, headers: { 'Content-Length': '0', ...headers } }, (res) => {
      res.resume()
      res.once('end', () => resolve({ status: res.statusCode!, allow: res.headers.allow }))
      res.once('error', reject)
    })
    sent.once('error', reject).end()
  })

async function forAll<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const work = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await run(item)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

async function useUpReads(t: Context): Promise<void> {
  for (const path of ['/perfil', '/api/session'])
    for (let status = 0; status !== 429;) status = (await send(t, { method: 'GET', path })).status
}

/** What is answered although nothing is left. The minute may end meanwhile: whatever passes is asked again with nothing left. */
async function findPassing(t: Context, requests: readonly Sent[]): Promise<string[]> {
  await useUpReads(t)
  const passing: string[] = []
  const suspects: Sent[] = []
  await forAll(requests, async (sent) => {
    if (!REFUSALS.includes((await send(t, sent)).status)) suspects.push(sent)
  })
  if (suspects.length > 0) await useUpReads(t)
  for (const sent of suspects.slice(0, 50)) {
    const { status } = await send(t, sent)
    if (!REFUSALS.includes(status))
      passing.push(`${sent.method} ${sent.path} ${JSON.stringify(sent.headers ?? {})}: ${status}`)
  }
  return passing
}

/** Prerendered ones are files, which never count. */
const routes = readBuiltRoutes().filter(({ prerender, type }) => !prerender && type !== 'fallback')
const addressOf = (route: string) => route.replace(/\[[^\]]+\]/g, 'beagle')

oneReading('no spelling of a route avoids the limit of reads', async (t) => {
  assert.ok(routes.length > 70, `${routes.length} routes`)
  const requests = routes.flatMap(({ route, type }, at) => {
    const spellings = hostileSpellings(addressOf(route))
    // A page costs most; endpoints take turns.
    const asked = type === 'page' ? spellings : spellings.filter((_, n) => (n + at) % 5 === 0)
    return [addressOf(route), ...asked].map((path, n) => ({ method: n % 2 ? 'HEAD' : 'GET', path }))
  })
  assert.equal(await findPassing(t, requests), [])
})

oneReading('no invalid host changes the path that is counted', async (t) => {
  const hosts = ['x:99999', 'x:y', '[::1', 'a:b/perfil?', 'x@y', '%00', 'x/api/..', '..']
  const requests = ['/perfil', '/api/session', '/api/nada'].flatMap((path) =>
    hosts.map((Host) => ({ method: 'GET', path, headers: { Host } })),
  )
  assert.equal(await findPassing(t, requests), [])
})

oneReading('pages refuse writes with 405, except forms, which also count as pages', async (t) => {
  await useUpReads(t)
  const found: Record<string, unknown> = {}
  for (const { route, type } of routes)
    for (const method of METHODS) {
      const isForm = FORM_PAGES.includes(route)
      if (type !== 'page' && !isForm) continue
      const { status, allow } = await send(t, { method, path: addressOf(route) })
      const expected = isForm && method === 'POST' ? (route === '/compartir' ? 303 : 429) : 405
      if (
        status !== expected ||
        (status === 405 && !allow?.startsWith(method === 'PROPFIND' ? 'GET' : isForm ? 'GET, HEAD, POST' : 'GET, HEAD'))
      )
        found[`${method} ${route}`] = [status, allow]
    }
  assert.equal(found, {})
})
