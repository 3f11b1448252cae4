import { setTimeout as wait } from 'node:timers/promises'
import { PageStore, type RenderedPage } from '#app/page-cache/page-store.ts'
import { VisitorPage } from '#app/page-cache/cached-pages.ts'
import { findLastChange, noteWrites, type Reads } from '#db/table-changes.ts'
import { assert, suite } from '#tests/support/suites.ts'

const kept = suite('unit/app/page-cache/page-store')

let live = 7
const open = (maxLagMs = 0, maxBytes = 1e6) =>
  new PageStore<VisitorPage>({
    maxBytes,
    maxLagMs,
    live: () => live,
    Page: VisitorPage,
  })
const readsOf = (...tables: string[]): Reads => ({ names: new Set(tables), since: findLastChange() })
const page = (text: string, reads: Reads | null, expires = Date.now() + 60_000): RenderedPage => ({
  status: 200,
  headers: [['content-type', 'text/html']],
  body: Buffer.from(text),
  reads,
  expires,
})
const put = (pages: ReturnType<typeof open>, key: string, reads: Reads | null, text = 'x'.repeat(10_000)) =>
  pages.render(key, async () => page(text, reads))

kept('a write takes away the pages that have read its table, and no others', async () => {
  const pages = open()
  await put(pages, '/razas', readsOf('breed_overrides'))
  await put(pages, '/beagle/toby', readsOf('dogs', 'comments'))
  noteWrites(['i comments'])
  assert.ok(pages.get('/razas', 0))
  assert.is(pages.get('/beagle/toby', 0), undefined)
  assert.is(pages.size, 1)
})

kept('a page that says nothing is not kept, and a kept one expires', async () => {
  const pages = open()
  await put(pages, '/perfil', null)
  assert.is(pages.get('/perfil', 0), undefined)
  await pages.render('/', async () => page('hoy', readsOf('dogs'), Date.now() + 20))
  assert.is(pages.size, 1)
  await wait(60)
  assert.is(pages.bytes, 0, 'without a request')
  assert.is(pages.get('/', 0), undefined)
})

kept('others may get a page a moment longer, who wrote does not', async () => {
  const pages = open(60_000)
  await put(pages, '/perros', readsOf('dogs'))
  const written = noteWrites(['u dogs'])
  assert.ok(pages.get('/perros', 0))
  assert.ok(pages.get('/perros', written - 1))
  assert.is(pages.get('/perros', written), undefined)
  await put(pages, '/perros', readsOf('dogs'))
  assert.ok(pages.get('/perros', written))
  const short = open(20)
  await put(short, '/perros', readsOf('dogs'))
  noteWrites(['u dogs'])
  await wait(40)
  assert.is(short.get('/perros', 0), undefined)
})

kept('the moment is counted from when the page was right, however late somebody asks', async () => {
  const pages = open(60)
  await put(pages, '/perros', readsOf('dogs'))
  await wait(80)
  assert.ok(pages.get('/perros', 0), 'it is right')
  await wait(80)
  noteWrites(['u dogs'])
  assert.is(pages.get('/perros', 0), undefined, 'nobody has asked for it for longer')
})

kept('likes may lag longer', async () => {
  const pages = open(1000)
  await put(pages, '/perros', readsOf('dog_likes_all'))
  noteWrites(['i dog_likes_all'])
  await wait(1050)
  assert.ok(pages.get('/perros', 0))
  assert.is(pages.get('/perros', findLastChange()), undefined)
})

kept('a reader’s stream goes on where the page was right', async () => {
  const pages = open(60_000)
  live = 7
  await put(pages, '/perros', readsOf('dogs'))
  live = 9
  assert.is(pages.get('/perros', 0)?.live, 9)
  noteWrites(['u dogs'])
  live = 12
  assert.is(pages.get('/perros', 0)?.live, 9)
})

kept('who asks during a render shares it, unless something was written meanwhile', async () => {
  const pages = open()
  let end = () => {}
  const gate = new Promise<void>((done) => (end = done))
  const reads = readsOf('dogs')
  const first = pages.render('/perros', async () => {
    await gate
    return page('antes', reads)
  })
  assert.ok(pages.find('/perros', 0))
  noteWrites(['u dogs'])
  assert.is(pages.find('/perros', 0), undefined)
  end()
  await first
  assert.is(pages.counts.outdated, 1)
  assert.is(pages.get('/perros', 0), undefined)
})

kept('its bytes stay within the limit, and pages that are read outlive pages requested once', async () => {
  const pages = open(0, 100_000)
  await put(pages, '/perros', readsOf('dogs'))
  for (let i = 0; i < 200; i++) {
    await put(pages, `/perros?cursor=${i}`, readsOf('dogs'))
    assert.ok(pages.bytes <= 100_000)
    assert.ok(pages.get('/perros', 0), `still there after ${i}`)
  }
  assert.ok(pages.counts.evicted > 150)
})

kept('a page that would evict too many others is not kept', async () => {
  const pages = open(0, 20_000)
  await put(pages, '/larga', readsOf('dogs'))
  assert.is(pages.size, 0)
})

kept('each encoding is made once, however many requests need it', async () => {
  const entry = new VisitorPage('/', page('x'.repeat(10_000), null))
  const [br, again, gzip] = await Promise.all(['br', 'br', 'gzip'].map((accepted) => entry.encode(accepted)))
  assert.is(br, again)
  assert.ok(br!.body.length + gzip!.body.length + 10_000 < entry.bytes)
})

kept('a render that fails is not kept', async () => {
  const pages = open()
  const failed = await pages.render('/', () => Promise.reject(new Error('roto'))).catch(() => 'failed')
  assert.is(failed, 'failed')
  assert.is(pages.find('/', 0), undefined)
})
