import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { findPlaceMatches, suggestPlaces } from '#features/places/suggest.server.ts'
import { clientNetwork, networkOf } from '#server/connections/client-network.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { assert, suite } from '#tests/support/suites.ts'

// What is remembered of what somebody sends: each time another text, as long as is taken. What is retained after a collection does not
// grow with its length.

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const retainedBytes = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const COUNT = 20_000
const LENGTH = 2000
/** Half of the texts; a caller that a limit tells apart takes some 800 bytes. */
const GROWTH_MAX_BYTES = (COUNT * LENGTH) / 2

const forwarded = (text: string) =>
  clientNetwork(
    { headers: { 'x-forwarded-for': text }, socket: {} } as unknown as Parameters<typeof clientNetwork>[0],
    true,
  )

/** The n-th use of an input; `text` is its own. */
const INPUTS: Record<string, (text: string, n: number) => unknown> = {
  'names of callers': (text) => limit('kept inputs', text, 10, 600),
  'forwarded addresses': (text) => limit('kept addresses', forwarded(text), COUNT + 1, 600),
  'what stands before a forwarded address': (text, n) =>
    limit(
      'kept forwarders',
      forwarded(`${text}, 203.0.${100 + (n % 100)}.${100 + (Math.floor(n / 100) % 100)}`),
      10,
      600,
    ),
  'forwarded addresses with a zone': (text) => limit('kept zones', networkOf(`fe80::1%${text}`), COUNT + 1, 600),
  'beginnings of places': (text) => findPlaceMatches(text),
  'beginnings of places that there are': (text) => findPlaceMatches(`madrid ${text}`),
  'zones that are typed': (text) => suggestPlaces(text),
}

const inputs = suite('unit/robustness/kept-inputs')
for (const [name, use] of Object.entries(INPUTS))
  inputs(`${name}: long inputs are not retained`, async () => {
    await use('x'.repeat(LENGTH), 0)
    const before = retainedBytes()
    for (let n = 0; n < COUNT; n++) await use(`${'abcdefghijklmnopqrstuvwxyz'[n % 26]}${n}${'x'.repeat(LENGTH)}`, n)
    const grown = retainedBytes() - before
    assert.ok(grown < GROWTH_MAX_BYTES, `${(grown / 1e6).toFixed(1)} MB`)
  })

inputs('callers with long names are still distinguished and counted', async () => {
  const name = (n: number) => `${'x'.repeat(500)}${n}`
  for (const n of [1, 2]) for (let m = 0; m < 3; m++) await limit('long names', name(n), 3, 600)
  for (const n of [1, 2])
    await limit('long names', name(n), 3, 600).then(
      () => assert.unreachable('it was let through'),
      ({ status }: { status: number }) => assert.is(status, 429),
    )
})
