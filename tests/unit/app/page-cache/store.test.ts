import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PageStore, type RenderedPage } from '#app/page-cache/store.ts'

const store = suite('unit/app/page-cache/store')

const page = (text: string, tags: string[] | null, expires = Infinity): RenderedPage => ({
  status: 200,
  headers: [['content-type', 'text/html']],
  body: Buffer.from(text),
  tags,
  expires,
})
const big = (tags: string[]) => page('x'.repeat(10_000), tags)

store('a change invalidates the pages that show it and no others', () => {
  const pages = new PageStore(1e6)
  pages.put('/razas', page('álbum', ['dogs']))
  pages.put('/beagle/toby', page('toby', ['dog:1']))
  pages.invalidate('dog:1')
  assert.ok(pages.get('/razas'))
  assert.is(pages.get('/beagle/toby'), undefined)
  pages.invalidate('dogs')
  assert.is(pages.size, 0)
  assert.is(pages.bytes, 0)
})

store('a private page, or one without tags, is not cached', () => {
  const pages = new PageStore(1e6)
  pages.put('/perfil', page('yo', null))
  assert.is(pages.get('/perfil'), undefined)
})

store('a page expires', () => {
  const pages = new PageStore(1e6)
  pages.put('/', page('hoy', ['dogs'], Date.now() - 1))
  assert.is(pages.get('/'), undefined)
  assert.is(pages.bytes, 0)
})

store('a render whose data changed meanwhile is outdated', () => {
  const pages = new PageStore(1e6)
  const flight = pages.beginRender()
  pages.invalidate('dog:1')
  assert.ok(pages.isOutdated(flight, page('toby', ['dog:1'])))
  assert.not.ok(pages.isOutdated(flight, page('álbum', ['dogs'])))
  pages.clear()
  assert.ok(pages.isOutdated(flight, page('álbum', ['dogs'])))
  pages.endRender(flight)
  const later = pages.beginRender()
  assert.not.ok(pages.isOutdated(later, page('toby', ['dog:1'])))
})

store(
  'its bytes, encoded copies included, stay within the limit, and pages that are read outlive pages requested once',
  async () => {
    const pages = new PageStore(100_000)
    pages.put('/perros', big(['dogs']))
    for (let i = 0; i < 1000; i++) {
      pages.put(`/perros?cursor=${i}`, big(['dogs']))
      assert.ok(pages.bytes <= 100_000)
      assert.ok(pages.get('/perros'), `still there after ${i}`)
    }
    assert.ok(pages.counts.evicted > 900)
    await pages.get('/perros')!.getOrEncode('br')
    const before = pages.bytes
    await pages.get('/perros')!.getOrEncode('gzip')
    assert.ok(pages.bytes > before)
    pages.invalidate('dogs')
    assert.is(pages.bytes, 0)
  },
)

store('a page that would evict too many others is not cached', () => {
  const pages = new PageStore(20_000)
  pages.put('/larga', big(['dogs']))
  assert.is(pages.size, 0)
})

store('each encoding is made once, however many requests need it', async () => {
  const pages = new PageStore(1e6)
  const entry = pages.put('/', big(['dogs']))
  const [a, b] = await Promise.all([entry.getOrEncode('br'), entry.getOrEncode('br')])
  assert.is(a, b)
  assert.is(entry.getEncoded('br'), a)
})

store.run()
