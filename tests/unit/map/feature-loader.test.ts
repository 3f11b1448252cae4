import { mock } from 'node:test'
import type { Area } from '#features/map/map.ts'
import { FeatureLoader, type LoadedFeatures, type ViewRequest } from '#features/map/view/feature-loader.client.ts'
import { assert, pick, suite } from '#tests/support/suites.ts'

// What the map asks for and when again; tests/browser/map/network-failures has what the person sees of it.
interface World {
  loader: FeatureLoader
  asked: URLSearchParams[]
  /** The zooms of aborted requests. */
  aborted: number[]
  loaded: LoadedFeatures[]
  errors: (string | null)[]
  busy: boolean[]
  answer: () => Promise<Response>
}
const features = suite<World>('unit/map/feature-loader')
const { fetch: realFetch } = globalThis
const SPAIN: Area = [-10, 35, 5, 45]
const viewOf = (zoom: number, view = SPAIN): ViewRequest => ({ view, zoom, breed: null, size: null })
const found = () => Promise.resolve(Response.json({ features: [], visible: 7, total: 9 }))
const flush = () => new Promise<void>((done) => setImmediate(done))

features.before.each((w) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  Object.assign(globalThis, { window: new EventTarget() })
  Object.assign(w, { asked: [], aborted: [], loaded: [], errors: [], busy: [], answer: found })
  globalThis.fetch = (address, init) => {
    const params = new URL(String(address), 'http://localhost').searchParams
    w.asked.push(params)
    return new Promise((done, fail) => {
      init?.signal?.addEventListener('abort', () => {
        w.aborted.push(Number(params.get('zoom')))
        fail(init.signal!.reason)
      })
      w.answer().then(done, fail)
    })
  }
  w.loader = new FeatureLoader({
    onLoad: (loaded) => w.loaded.push(loaded),
    onBusy: (isBusy) => w.busy.push(isBusy),
    onError: (error) => w.errors.push(error && error.message),
  })
})
features.after.each((w) => {
  w.loader.close()
  mock.timers.reset()
  globalThis.fetch = realFetch
  Reflect.deleteProperty(globalThis, 'window')
})

features(
  'the first view asks for the dogs of the whole world, a nearer one for a quarter more than it shows',
  async (w) => {
    w.loader.load(viewOf(2))
    await flush()
    w.loader.load(viewOf(5))
    await flush()
    assert.equal(
      w.asked.map((params) => [params.get('bbox'), params.get('view'), params.get('zoom')]),
      [
        ['-180,-90,180,90', '-10,35,5,45', '2'],
        ['-13.75,32.5,8.75,47.5', '-10,35,5,45', '5'],
      ],
    )
    assert.equal(pick(w.loaded, 'visible', 'zoom'), [
      [7, 2],
      [7, 5],
    ])
    assert.equal(w.busy, [true, false, true, false])
  },
)

features('single dogs are asked for from zoom 14 on', async (w) => {
  for (const zoom of [13, 14, 18]) {
    w.loader.load(viewOf(zoom))
    await flush()
  }
  assert.equal(
    w.asked.map((params) => params.get('zoom')),
    ['13', '15', '18'],
  )
})

features('a failed request is repeated when its answer says, and the error goes', async (w) => {
  w.answer = () =>
    Promise.resolve(
      new Response('{"detail":"El mapa no está disponible."}', { status: 503, headers: { 'Retry-After': '1' } }),
    )
  w.loader.load(viewOf(5))
  await flush()
  assert.equal(
    [w.asked.length, w.errors, w.busy],
    [1, ['No se pudieron cargar los perros. Intenta de nuevo más tarde.'], [true, false]],
  )
  w.answer = found
  mock.timers.tick(999)
  await flush()
  assert.is(w.asked.length, 1)
  mock.timers.tick(1)
  await flush()
  assert.equal([w.asked.length, w.errors.at(-1), w.loaded.length], [2, null, 1])
})

features('without such a time the pause doubles, from two seconds to thirty', async (w) => {
  w.answer = () => Promise.reject(new TypeError('Failed to fetch'))
  w.loader.load(viewOf(5))
  await flush()
  for (const seconds of [2, 4, 8, 16, 30, 30]) {
    const before = w.asked.length
    mock.timers.tick(seconds * 1000 - 1)
    await flush()
    assert.is(w.asked.length, before, `${seconds} s`)
    mock.timers.tick(1)
    await flush()
    assert.is(w.asked.length, before + 1, `${seconds} s`)
  }
  assert.is(w.errors.at(-1), 'Error de red al cargar los perros.')
  // From two seconds again, after a success.
  w.answer = found
  w.loader.load(viewOf(6))
  await flush()
  w.answer = () => Promise.reject(new TypeError('Failed to fetch'))
  w.loader.load(viewOf(7))
  await flush()
  const before = w.asked.length
  mock.timers.tick(2000)
  await flush()
  assert.is(w.asked.length, before + 1)
})

features('a network that comes back asks at once', async (w) => {
  w.answer = () => Promise.reject(new TypeError('Failed to fetch'))
  w.loader.load(viewOf(5))
  await flush()
  w.answer = found
  window.dispatchEvent(new Event('online'))
  await flush()
  assert.equal([w.asked.length, w.errors.at(-1)], [2, null])
  // Nothing is wrong any more.
  window.dispatchEvent(new Event('online'))
  await flush()
  assert.is(w.asked.length, 2)
})

features('a newer view aborts the request of the last one, whose answer is ignored', async (w) => {
  let release = () => {}
  w.answer = () => new Promise((done) => (release = () => void found().then(done)))
  w.loader.load(viewOf(5))
  w.answer = found
  w.loader.load(viewOf(6))
  await flush()
  release()
  await flush()
  assert.equal([w.loaded.map(({ zoom }) => zoom), w.errors], [[6], [null]])
  assert.equal(w.aborted, [5])
})

features('a view inside the last answer asks nothing, for a minute', async (w) => {
  w.loader.load(viewOf(5))
  await flush()
  w.loader.load(viewOf(5, [-9, 35, 6, 45]))
  assert.equal([w.asked.length, w.loaded.length, w.busy.at(-1)], [1, 2, false])
  mock.timers.tick(60_001)
  w.loader.load(viewOf(5))
  await flush()
  assert.is(w.asked.length, 2)
  w.loader.load({ ...viewOf(5), breed: 'beagle' })
  await flush()
  assert.equal([w.asked.length, w.asked.at(-1)!.get('breed')], [3, 'beagle'])
})
