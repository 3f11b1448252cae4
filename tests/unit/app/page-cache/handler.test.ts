import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { countStatements } from '#db/statement-count.ts'
import { followSchema, recordReads } from '#db/table-changes.ts'
import { transact } from '#db/transact.ts'
import { NOT_FOUND_ADDRESSES } from '#app/page-cache/addresses.ts'
import { createPageHandler } from '#app/page-cache/handler.ts'
import { MemberPage, VisitorPage } from '#app/page-cache/cached-pages.ts'
import { PageStore, type RenderedPage } from '#app/page-cache/page-store.ts'
import { hasDog, hasDogPath } from '#features/dogs/paths.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { assert, type Db, dog, member, seed, suite } from '#tests/support/suites.ts'

interface World {
  db: Db
  pages: PageStore<VisitorPage>
  server: Server
  renders: string[]
  /** Of a page, characters at least. */
  length: number
  /** Awaited by each render after it has read. */
  gate: () => Promise<void>
  /** The addresses of dogs that were looked up. */
  lookups: string[]
  /** Awaited by each lookup before it reads. */
  lookupGate: () => Promise<void>
  ask: (
    path: string,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>
}

const front = suite<World>('unit/app/page-cache/handler')

front.before.each(async (t) => {
  t.db = sqliteDb()
  const limits = { maxBytes: 1e6, maxLagMs: 0, live: () => 0 }
  t.pages = new PageStore({ ...limits, Page: VisitorPage })
  t.renders = []
  t.length = 0
  t.gate = async () => {}
  t.lookups = []
  t.lookupGate = async () => {}
  await followSchema(t.db)
  async function render(url: string): Promise<RenderedPage> {
    t.renders.push(url)
    const { value: dogs, reads } = await recordReads(() =>
      t.db.selectFrom('dogs').select('name').orderBy('name').execute(),
    )
    await t.gate()
    const body = Buffer.from(`${url}: ${dogs.map(({ name }) => name).join()}`.padEnd(t.length))
    return { status: 200, headers: [['content-type', 'text/html']], body, reads, expires: Date.now() + 60_000 }
  }
  const answer = createPageHandler({
    db: t.db,
    visitors: { pages: t.pages, render },
    members: { pages: new PageStore({ ...limits, Page: MemberPage }), render },
    adminEmail: undefined,
    liveEvent: () => 0,
    clearedSessionCookie: 'perrario=; Max-Age=0',
    startRequestLog: () => 'r-1',
    catchUp: () => undefined,
    lookups: {
      async hasDogPath(breed, slug) {
        t.lookups.push(`/${breed}/${slug}`)
        await t.lookupGate()
        return hasDogPath(t.db, breed, slug)
      },
      async hasDog(id) {
        t.lookups.push(id)
        await t.lookupGate()
        return hasDog(t.db, id)
      },
    },
    sessionCookie: 'perrario',
    consumeRenderQuota: async () => true,
  })
  t.server = createServer((req, res) => {
    const answerByAstro = () => res.writeHead(418).end('Astro')
    answer(req, res, answerByAstro, answerByAstro)
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
    assert.equal([pages.counts.misses, pages.counts.hits, pages.counts.unchanged], [1, 2, 1])
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

front('two sessions, other methods and other addresses are left to Astro', async ({ ask }) => {
  assert.is((await ask('/perros', { Cookie: 'perrario=abc; perrario=abc' })).status, 418)
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

front('a failed render is left to Astro, not cached, and rendered again', async (t) => {
  const { error } = console
  console.error = () => {}
  t.gate = () => Promise.reject(new Error('roto'))
  assert.is((await t.ask('/perros')).status, 418)
  t.gate = async () => {}
  console.error = error
  assert.is((await t.ask('/perros')).status, 200)
})

front('a dog’s address is looked up before its first render, and not again while its page is cached', async (t) => {
  const [, toby] = await seed(t.db, member(), dog({ name: 'Toby' }))
  assert.is((await t.ask(toby.path)).body, `${toby.path}: Toby`)
  assert.equal(t.lookups, [toby.path])
  t.lookupGate = () => Promise.reject(new Error('no lookup is expected'))
  const sent = countStatements()
  for (const url of [toby.path, `${toby.path}?x=1`]) assert.is((await t.ask(url)).body, `${toby.path}: Toby`)
  assert.is(countStatements(), sent)
  assert.is((await t.ask(toby.path, { Cookie: 'perrario-sidebar=closed' })).status, 200)
  assert.equal([t.lookups, t.renders], [[toby.path], [toby.path, toby.path]], 'known by the other sidebar’s page')
})

front('a cached page is answered while the database answers nobody', async (t) => {
  const [, toby] = await seed(t.db, member(), dog({ name: 'Toby' }))
  await t.ask(toby.path)
  let release!: () => void
  const transaction = t.db.transaction().execute(() => new Promise<void>((done) => (release = done)))
  assert.is((await t.ask(toby.path)).status, 200)
  let isAnswered = false
  const waiting = t.ask('/beagle/nadie').then(() => (isAnswered = true))
  await new Promise((done) => setTimeout(done, 20))
  assert.is(isAnswered, false, 'the lookup waits for the transaction')
  release()
  await Promise.all([transaction, waiting])
})

front('all unknown dogs share one render, and other spellings are left to Astro', async (t) => {
  const [, toby] = await seed(t.db, member(), dog({ name: 'Toby' }))
  for (const url of ['/beagle/nadie', '/lo-que/sea?x=1'])
    assert.match((await t.ask(url)).body, `${NOT_FOUND_ADDRESSES.path}:`)
  for (const n of [1, 2]) {
    const url = `/perro/00000000-0000-4000-8000-00000000000${n}`
    assert.match((await t.ask(url)).body, `${NOT_FOUND_ADDRESSES.id}:`)
  }
  assert.match((await t.ask(`/perro/${toby.id}`)).body, `/perro/${toby.id}:`)
  assert.equal(t.renders, [NOT_FOUND_ADDRESSES.path, NOT_FOUND_ADDRESSES.id, `/perro/${toby.id}`])
  assert.is((await t.ask(`${toby.path}-1`)).status, 418)
  assert.is(t.pages.counts.misses, 3)
})

front('fifty simultaneous requests for a dog cause one render, and those during it no lookup', async (t) => {
  const [, toby] = await seed(t.db, member(), dog({ name: 'Toby' }))
  let open!: () => void
  const gate = new Promise<void>((done) => (open = done))
  t.gate = () => gate
  const first = t.ask(toby.path)
  while (t.renders.length === 0) await new Promise((done) => setTimeout(done, 5))
  const others = Array.from({ length: 49 }, () => t.ask(toby.path))
  await new Promise((done) => setTimeout(done, 50))
  open()
  for (const { body } of await Promise.all([first, ...others])) assert.is(body, `${toby.path}: Toby`)
  assert.equal([t.renders, t.lookups], [[toby.path], [toby.path]])
})

front('a request whose lookup a write overtakes gets no render begun before the write', async (t) => {
  const [, toby] = await seed(t.db, member(), dog({ name: 'Toby' }))
  const opens: (() => void)[] = []
  const wait = () => new Promise<void>((done) => opens.push(done))
  t.lookupGate = wait
  const before = t.ask(toby.path)
  // Two requests at once arrive in either order.
  while (opens.length < 1) await new Promise((done) => setTimeout(done, 5))
  const after = t.ask(toby.path)
  while (opens.length < 2) await new Promise((done) => setTimeout(done, 5))
  t.gate = wait
  opens[0]!()
  while (t.renders.length === 0 || opens.length < 3) await new Promise((done) => setTimeout(done, 5))
  await transact(t.db, (trx) => trx.updateTable('dogs_all').set({ name: 'Lobo' }).where('id', '=', toby.id).execute())
  opens[1]!()
  while (opens.length < 4) await new Promise((done) => setTimeout(done, 5))
  for (const open of opens.slice(2)) open()
  assert.is((await before).body, `${toby.path}: Toby`)
  assert.is((await after).body, `${toby.path}: Lobo`)
  assert.equal(t.renders, [toby.path, toby.path])
})

front('an address is unknown until a dog gets it', async (t) => {
  const [ana] = await seed(t.db, member())
  assert.match((await t.ask('/beagle/toby')).body, `${NOT_FOUND_ADDRESSES.path}:`)
  const [toby] = await seed(t.db, dog({ name: 'Toby', owner_id: ana.id }))
  assert.is(toby.path, '/beagle/toby')
  assert.is((await t.ask('/beagle/toby')).body, '/beagle/toby: Toby')
})

front('a lookup that fails leaves the request to Astro', async (t) => {
  t.lookupGate = () => Promise.reject(new Error('no database'))
  assert.is((await t.ask('/beagle/toby')).status, 418)
  assert.equal(t.renders, [])
})

front('a client that leaves during the lookup causes no render', async (t) => {
  const [, toby] = await seed(t.db, member(), dog({ name: 'Toby' }))
  let open!: () => void
  const gate = new Promise<void>((done) => (open = done))
  t.lookupGate = () => gate
  const { port } = t.server.address() as { port: number }
  const outgoing = request({ port, path: toby.path, agent: false }).on('error', () => {})
  outgoing.end()
  while (t.lookups.length === 0) await new Promise((done) => setTimeout(done, 5))
  outgoing.destroy()
  await new Promise((done) => setTimeout(done, 50))
  open()
  await new Promise((done) => setTimeout(done, 20))
  assert.equal(t.renders, [])
})
