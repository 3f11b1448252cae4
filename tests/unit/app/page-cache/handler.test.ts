import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Db, sqliteOf, countStatements } from '#db/client.ts'
import { installInvalidationTriggers } from '#app/page-cache/invalidation.ts'
import { createCacheHandler } from '#app/page-cache/handler.ts'
import { PageStore, type RenderedPage } from '#app/page-cache/store.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  pages: PageStore
  server: Server
  renders: string[]
  /** Of a page, characters at least. */
  length: number
  /** Awaited by each render after it has read. */
  gate: () => Promise<void>
  ask: (
    path: string,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>
}

const front = suite<World>('unit/app/page-cache/handler')

front.before.each(async (t) => {
  t.db = freshDb()
  t.pages = new PageStore(1e6)
  t.renders = []
  t.length = 0
  t.gate = async () => {}
  installInvalidationTriggers(sqliteOf(t.db), (tag) => t.pages.invalidate(tag), { likes: 2, rank: 2 })
  const answer = createCacheHandler({
    startRequestLog: () => 'r-1',
    pages: t.pages,
    lookups: { hasDogPath: () => true, hasDog: () => true },
    sessionCookie: 'perrario',
    consumeRenderQuota: async () => true,
    async render(url): Promise<RenderedPage> {
      t.renders.push(url)
      const dogs = await t.db.selectFrom('dogs').select('name').orderBy('name').execute()
      await t.gate()
      const body = Buffer.from(`${url}: ${dogs.map(({ name }) => name).join()}`.padEnd(t.length))
      return { status: 200, headers: [['content-type', 'text/html']], body, tags: ['dogs'], expires: Infinity }
    },
  })
  t.server = createServer((req, res) => {
    if (!answer(req, res)) res.writeHead(418).end('Astro')
  }).listen(0, '127.0.0.1')
  await once(t.server, 'listening')
  const { port } = t.server.address() as { port: number }
  t.ask = (path, headers = {}, method = 'GET') =>
    new Promise((done, fail) => {
      const outgoing = request({ port, path, method, headers, agent: false }, (res) => {
        let body = ''
        res
          .on('data', (chunk) => (body += chunk))
          .on('end', () => done({ status: res.statusCode!, headers: res.headers, body }))
      })
      outgoing.on('error', fail).end()
    })
})
front.after.each(async ({ db, server }) => {
  server.close()
  await db.destroy()
})

front(
  'a page is rendered once, and then neither it nor a 304 reads the database',
  async ({ ask, db, pages, renders }) => {
    await seed(db, member(), dog({ name: 'Toby' }))
    const first = await ask('/perros')
    assert.is(first.body, '/perros: Toby')
    const sent = countStatements()
    const second = await ask('/perros?utm_source=nadie')
    assert.is(second.body, first.body)
    const third = await ask('/perros', { 'If-None-Match': first.headers.etag! })
    assert.is(third.status, 304)
    assert.is(third.body, '')
    assert.is(third.headers.etag, first.headers.etag)
    assert.is(countStatements(), sent)
    assert.equal(renders, ['/perros'])
    assert.equal([pages.counts.misses, pages.counts.hits, pages.counts.unchanged], [1, 1, 1])
  },
)

front('a request after a write sees it', async ({ ask, db }) => {
  await seed(db, member(), dog({ name: 'Toby' }))
  assert.is((await ask('/perros')).body, '/perros: Toby')
  await seed(db, member(), dog({ name: 'Luna' }))
  assert.is((await ask('/perros')).body, '/perros: Luna,Toby')
})

front('fifty simultaneous requests cause one render', async ({ ask, renders }) => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/razas')))
  assert.equal(renders, ['/razas'])
  assert.ok(answers.every(({ body }) => body === '/razas: '))
})

front('a render overtaken by a write answers earlier requests and is not cached', async (t) => {
  await seed(t.db, member(), dog({ name: 'Toby' }))
  let open!: () => void
  const gate = new Promise<void>((done) => (open = done))
  t.gate = () => gate
  const before = t.ask('/perros')
  while (t.renders.length === 0) await new Promise((done) => setTimeout(done, 5))
  await new Promise((done) => setTimeout(done, 20))
  await seed(t.db, member(), dog({ name: 'Luna' }))
  const after = t.ask('/perros')
  while (t.renders.length === 1) await new Promise((done) => setTimeout(done, 5))
  open()
  assert.is((await before).body, '/perros: Toby')
  assert.is((await after).body, '/perros: Luna,Toby')
  assert.is((await t.ask('/perros')).body, '/perros: Luna,Toby')
  assert.is(t.pages.counts.outdated, 1)
})

front('members, other methods and other addresses are left to Astro', async ({ ask }) => {
  assert.is((await ask('/perros', { Cookie: 'perrario=abc' })).status, 418)
  assert.is((await ask('/perros', { Cookie: 'a=b; __Host-perrario=abc' })).status, 418)
  assert.is((await ask('/perros', {}, 'POST')).status, 418)
  assert.is((await ask('/perfil')).status, 418)
  assert.is((await ask('/perros', { Cookie: 'otra=1' })).status, 200)
})

front('a closed sidebar has its own cached page', async ({ ask, renders }) => {
  await ask('/perros', { Cookie: 'perrario-sidebar=closed' })
  await ask('/perros', { Cookie: 'x=1; perrario-sidebar=closed' })
  await ask('/perros')
  assert.equal(renders, ['/perros', '/perros'])
})

front('HEAD has GET’s headers, without the page', async (t) => {
  t.length = 3000
  const { ask } = t
  const head = await ask('/perros', { 'Accept-Encoding': 'br' }, 'HEAD')
  const get = await ask('/perros', { 'Accept-Encoding': 'br' })
  assert.is(head.status, 200)
  assert.is(head.body, '')
  for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
    assert.is(head.headers[name], get.headers[name], name)
  assert.is(get.headers['content-encoding'], 'br')
  assert.is(get.headers.vary, 'Accept-Encoding, Cookie')
})

front('a failed render is answered, not cached, and rendered again', async (t) => {
  const { error } = console
  console.error = () => {}
  t.gate = () => Promise.reject(new Error('roto'))
  assert.is((await t.ask('/perros')).status, 500)
  t.gate = async () => {}
  console.error = error
  assert.is((await t.ask('/perros')).status, 200)
})

front.run()
