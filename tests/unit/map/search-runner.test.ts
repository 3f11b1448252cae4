import { mock } from 'node:test'
import { countSearch, readSearchCount } from '#features/map/search/address-search.client.ts'
import { searchRunner } from '#features/map/search/search-runner.client.ts'
import type { Geocode } from '#features/places/places.ts'
import { assert, suite } from '#tests/support/suites.ts'

// When the address box searches and what it says (docs/product.md §16.3); tests/browser/map/search has the box itself.
interface World {
  runner: ReturnType<typeof searchRunner>
  /** Texts that were searched for. */
  asked: string[]
  /** The messages, as «kind: text». */
  messages: string[]
  /** The places that the map was sent to. */
  places: string[]
  /** What the server answers: a place, null, a status, or no answer yet. */
  answer: (text: string) => Promise<Response>
  local: Map<string, string>
  session: Map<string, string>
}
const search = suite<World>('unit/map/search-runner')

const storageOver = (items: Map<string, string>) => ({
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
})
const place = (name: string, lon: number, lat: number): Geocode => ({ center: [lon, lat], place_name: name })
const PLACES: Record<string, Geocode> = {
  vigo: place('Vigo, Pontevedra', -8.72, 42.23),
  toledo: place('Toledo, Toledo', -4.02, 39.86),
  lugo: place('Lugo, Lugo', -7.56, 43.01),
}
const { fetch: realFetch } = globalThis

search.before.each((w) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  Object.assign(w, { asked: [], messages: [], places: [], local: new Map(), session: new Map() })
  w.answer = (text) => Promise.resolve(Response.json(PLACES[text.toLowerCase()] ?? null))
  Object.assign(globalThis, { localStorage: storageOver(w.local), sessionStorage: storageOver(w.session) })
  globalThis.fetch = (address, init) => {
    const text = new URL(String(address), 'http://localhost').searchParams.get('q')!
    w.asked.push(text)
    return new Promise((done, fail) => {
      init?.signal?.addEventListener('abort', () => fail(init.signal!.reason))
      w.answer(text).then(done, fail)
    })
  }
  while (readSearchCount() > 0) countSearch(-1)
  w.runner = searchRunner(({ kind, text }) => w.messages.push(`${kind}: ${text}`))
  w.runner.listen(({ place_name }) => w.places.push(place_name))
})
search.after.each(() => {
  mock.timers.reset()
  globalThis.fetch = realFetch
  Reflect.deleteProperty(globalThis, 'localStorage')
  Reflect.deleteProperty(globalThis, 'sessionStorage')
})

/** Runs what waits for promises alone. */
const flush = () => new Promise<void>((done) => setImmediate(done))
async function enter({ runner }: World, text: string): Promise<void> {
  runner.search(text, true)
  await flush()
}

search('a pause of a second in typing searches once, from three characters on', async (w) => {
  w.runner.search('Vi', false)
  mock.timers.tick(5000)
  assert.equal([w.asked, w.messages], [[], []])
  w.runner.search('Vig', false)
  mock.timers.tick(999)
  w.runner.search('Vigo', false)
  mock.timers.tick(999)
  assert.equal(w.asked, [])
  mock.timers.tick(1)
  await flush()
  mock.timers.tick(5000)
  assert.equal(w.asked, ['Vigo'])
  assert.equal(w.messages, ['busy: Buscando…', 'found: Vigo, Pontevedra'])
  assert.equal(w.places, ['Vigo, Pontevedra'])
})

search(
  'Enter searches at once, the pause beside it no second time; too short a text is answered with a note',
  async (w) => {
    await enter(w, '  ab ')
    assert.equal([w.asked, w.messages], [[], ['note: Escribe al menos 3 caracteres.']])
    w.runner.search('  Santiago   de Compostela ', false)
    await enter(w, '  Santiago   de Compostela ')
    mock.timers.tick(5000)
    await flush()
    assert.equal(w.asked, ['Santiago de Compostela'])
  },
)

search('a known place costs no search, but Enter leads back to it', async (w) => {
  await enter(w, 'toledo')
  await enter(w, 'lugo')
  await enter(w, 'TOLEDO')
  assert.equal(
    [w.asked, w.places],
    [
      ['toledo', 'lugo'],
      ['Toledo, Toledo', 'Lugo, Lugo', 'Toledo, Toledo'],
    ],
  )
  assert.equal([w.messages.at(-1), readSearchCount()], ['found: Toledo', 2])
  const cached = JSON.parse(w.local.get('geo_zone_cache_v2')!)
  assert.equal(Object.keys(cached), ['toledo', 'Toledo, Toledo', 'lugo', 'Lugo, Lugo'])
  assert.equal(cached.toledo, cached['Toledo, Toledo'])
  // By a pause the same place is not shown again; by Enter it is.
  w.runner.search('toledo', false)
  mock.timers.tick(5000)
  assert.is(w.places.length, 3)
  await enter(w, 'toledo')
  assert.is(w.places.length, 4)
})

search('what cannot be a place in the device’s cache is ignored', async (w) => {
  w.local.set('geo_zone_cache_v2', '{"Cala de Luna":[3.1,39.8],"mal":"x","peor":[1]}')
  await enter(w, 'cala de luna')
  assert.equal([w.asked, w.places], [[], ['Cala de Luna']])
  w.local.set('geo_zone_cache_v2', '<html>')
  await enter(w, 'vigo')
  assert.equal(w.asked, ['vigo'])
})

search('without storage it searches and counts all the same', async (w) => {
  const deny = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const denied = { getItem: deny, setItem: deny }
  Object.assign(globalThis, { localStorage: denied, sessionStorage: denied })
  await enter(w, 'vigo')
  assert.equal([w.places, readSearchCount()], [['Vigo, Pontevedra'], 1])
})

search('five searches a session; the sixth is refused, known places are not', async (w) => {
  const towns = ['vigo', 'toledo', 'lugo', 'nowhere', 'nowhere else']
  for (const [index, town] of towns.entries()) {
    await enter(w, town)
    assert.is(w.session.get('perrario:address-searches'), String(index + 1))
  }
  assert.is(
    w.messages.at(-1),
    'problem: No encontramos ese lugar. Prueba con el nombre de un municipio o de un barrio.',
  )
  await enter(w, 'huesca')
  assert.equal(w.asked, towns)
  const spent =
    'problem: Ya has hecho las 5 búsquedas de esta sesión. Puedes mover el mapa o volver a un lugar que ya hayas buscado.'
  assert.is(w.messages.at(-1), spent)
  await enter(w, 'lugo')
  assert.is(w.messages.at(-1), 'found: Lugo')
  // On another page of the session, too: the larger count is the one that counts.
  w.session.set('perrario:address-searches', '7')
  assert.is(readSearchCount(), 7)
})

search('a search that found nothing is not repeated', async (w) => {
  await enter(w, 'nowhere')
  await enter(w, 'nowhere')
  assert.equal(w.asked, ['nowhere'])
})

search('a failed search is explained, not counted, and can be repeated', async (w) => {
  const fail = (status: number) => () => Promise.resolve(new Response('{}', { status }))
  for (const [answer, message] of [
    [fail(429), 'Demasiadas búsquedas seguidas. Espera un momento y vuelve a intentarlo.'],
    [fail(500), 'La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.'],
    [
      () => Promise.reject(new TypeError('Failed to fetch')),
      'No hay conexión. Comprueba tu red y vuelve a intentarlo.',
    ],
    [
      () => Promise.resolve(new Response('<html>')),
      'La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.',
    ],
  ] as const) {
    w.answer = answer
    await enter(w, 'vigo')
    assert.is(w.messages.at(-1), `problem: ${message}`)
    assert.is(readSearchCount(), 0)
  }
  w.answer = () => Promise.resolve(Response.json(PLACES.vigo))
  await enter(w, 'vigo')
  assert.equal([w.messages.at(-1), w.asked.length, readSearchCount()], ['found: Vigo, Pontevedra', 5, 1])
})

/** Holds the answers to these texts back; the function returned lets one go. */
function hold(w: World, ...texts: string[]): (text: string) => void {
  const { answer } = w
  const releases = new Map<string, () => void>()
  w.answer = async (text) => {
    if (texts.includes(text)) await new Promise<void>((done) => releases.set(text, done))
    return answer(text)
  }
  return (text) => releases.get(text)!()
}

search('a newer search aborts the running one, whose answer changes nothing', async (w) => {
  const release = hold(w, 'lugo')
  await enter(w, 'lugo')
  await enter(w, 'vigo')
  release('lugo')
  await flush()
  assert.equal(w.places, ['Vigo, Pontevedra'])
  assert.equal(w.messages, ['busy: Buscando…', 'busy: Buscando…', 'found: Vigo, Pontevedra'])
  assert.is(readSearchCount(), 2)
})

search('an answer that is being read when a newer search begins changes nothing', async (w) => {
  w.answer = (text) => Promise.resolve(Response.json(PLACES[text]))
  w.runner.search('lugo', true)
  // The answer is there, its text is not.
  await Promise.resolve()
  await enter(w, 'vigo')
  assert.equal(w.places, ['Vigo, Pontevedra'])
})

search('the same again, by Enter, waits for the running search and then leads back', async (w) => {
  const release = hold(w, 'lugo')
  await enter(w, 'lugo')
  await enter(w, 'lugo')
  release('lugo')
  await flush()
  assert.equal([w.asked, w.places], [['lugo'], ['Lugo, Lugo']])
  await enter(w, 'lugo')
  assert.equal([w.asked, w.places], [['lugo'], ['Lugo, Lugo', 'Lugo, Lugo']])
})

search('to stop cancels the pause and the running search, also one that began while another ran', async (w) => {
  w.runner.search('toledo', false)
  w.runner.stop()
  mock.timers.tick(5000)
  assert.equal([w.asked, w.messages], [[], []])
  const release = hold(w, 'lugo', 'vigo')
  await enter(w, 'lugo')
  await enter(w, 'vigo')
  w.runner.stop()
  release('vigo')
  await flush()
  assert.equal([w.places, w.messages], [[], ['busy: Buscando…', 'busy: Buscando…']])
})
