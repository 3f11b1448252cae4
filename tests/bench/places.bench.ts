/**
 * The gazetteer: its memory and what a lookup and a suggestion cost. To reach (issue 4): under 30 MB, under 50 µs a lookup.
 */
import { PLACE_SPELLINGS } from '#tests/support/map/place-spellings.ts'
import { printTable } from '#tests/support/load/measure.ts'

const heap = () => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 1e6, rss: rss / 1e6 }
}

const before = heap()
const importing = performance.now()
const { findPlace } = await import('#features/places/find-place.server.ts')
const { suggestPlaces } = await import('#features/places/suggest.server.ts')
const imported = performance.now() - importing
const loading = performance.now()
findPlace('Toledo')
const loaded = performance.now() - loading
const after = heap()

const texts = PLACE_SPELLINGS.map(([text]) => text)
const UNKNOWN = ['mi casa', 'asdf qwer zxcv', 'la calle de al lado del parque de los perros', 'x y z, w v u (t)']
const PREFIXES = ['sa', 'mad', 'villa', 'santa c', 'donos', 'chamberí, ma']

/** Microseconds a call over many rounds, the slowest text's own median beside it. */
function measure(run: (text: string) => unknown, of: readonly string[]): [mean: number, slowest: number] {
  for (let i = 0; i < 200; i++) for (const text of of) run(text)
  const rounds = 500
  let worst = 0
  let all = 0
  for (const text of of) {
    const start = performance.now()
    for (let i = 0; i < rounds; i++) run(text)
    const each = ((performance.now() - start) * 1000) / rounds
    all += each
    worst = Math.max(worst, each)
  }
  return [all / of.length, worst]
}

printTable(
  ['', 'mean', 'slowest text'],
  [
    ['lookup of the test table, µs', ...measure(findPlace, texts)],
    ['lookup of what is no place, µs', ...measure(findPlace, UNKNOWN)],
    ['suggestions, µs', ...measure(suggestPlaces, PREFIXES)],
  ],
)
console.log(`\nimport ${imported.toFixed(0)} ms, first lookup ${loaded.toFixed(0)} ms`)
console.log(`heap +${(after.heap - before.heap).toFixed(1)} MB, resident +${(after.rss - before.rss).toFixed(1)} MB`)
