import { getGazetteer, lookUpKey } from '#features/places/gazetteer.server.ts'
import { findPlaceMatches, matchedPlace } from '#features/places/suggest.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const matches = suite('unit/places/search-matches')

/** Every word of the gazetteer with the number of keys that have it, the commonest first. */
function commonWords(): string[] {
  const counts = new Map<string, number>()
  for (const key of getGazetteer().keys)
    for (const word of new Set(key.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word)
}

/** The same by looking at every key. */
function scan(prefix: string): Set<number> {
  const g = getGazetteer()
  const found = new Set<number>()
  for (const key of g.keys)
    if (key.startsWith(prefix) || key.includes(` ${prefix}`))
      for (const value of lookUpKey(g, key))
        if (value % 2 === 0 && g.entries[value >> 1]!.kind !== 'country') found.add(value >> 1)
  return found
}

const worst = commonWords()
  .filter((word) => word.length > 1)
  .slice(0, 40)
const prefixes = [...new Set([...worst, ...worst.map((word) => word.slice(0, 2)), 'de la', 'san se', 'zz', 'madrid'])]

matches('the sorted lists find the same as a scan of every key', () => {
  assert.ok(worst.includes('de'))
  for (const prefix of prefixes) {
    const found = findPlaceMatches(prefix).map(({ index }) => index)
    assert.equal(new Set(found), scan(prefix), prefix)
    assert.is(new Set(found).size, found.length, `${prefix}: no place twice`)
  }
})

matches('a prefix is looked up once: the next search answers the same list', () => {
  for (const prefix of prefixes) assert.is(findPlaceMatches(prefix), findPlaceMatches(prefix), prefix)
})

matches('a whole name comes first, then beginnings, then words', () => {
  assert.is(matchedPlace(findPlaceMatches('madrid')[0]!).name.split(',')[0], 'Madrid')
  const names = findPlaceMatches('val').slice(0, 20)
  assert.ok(names.every(({ key }) => key.startsWith('val')))
})

matches('one letter finds nothing', () => {
  assert.equal(findPlaceMatches('d'), [])
})
