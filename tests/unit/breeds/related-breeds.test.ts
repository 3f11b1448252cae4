import { allBreeds } from '#features/breeds/catalogue.server.ts'
import { MAX_RELATED, relatedIndexes } from '#features/breeds/related.ts'
import { assert, suite } from '#tests/support/suites.ts'

const links = relatedIndexes(allBreeds)
const at = (name: string) => allBreeds.findIndex((breed) => breed.nombre_castellano === name)

const related = suite('unit/breeds/related-breeds')

related('every relation is mutual', () => {
  links.forEach((list, i) => {
    for (const j of list) assert.ok(links[j]!.includes(i), `${i} -> ${j}`)
    assert.ok(list.length <= MAX_RELATED)
    assert.is(new Set(list).size, list.length)
    assert.not.ok(list.includes(i))
  })
})

related('groups are not mixed and sizes are near', () => {
  links.forEach((list, i) => {
    const a = allBreeds[i]!
    for (const b of list.map((j) => allBreeds[j]!)) {
      if (a.fci_grupo !== null && b.fci_grupo !== null)
        assert.is(a.fci_grupo, b.fci_grupo, `${a.nombre_castellano} / ${b.nombre_castellano}`)
    }
  })
})

related('almost every breed has several; the mixed breed has none', () => {
  const lonely = allBreeds.filter((breed, i) => links[i]!.length < 2 && breed.nombre_castellano !== 'Mestizo')
  assert.ok(lonely.length <= 6, lonely.map((breed) => breed.nombre_castellano).join(', '))
  assert.equal(links[at('Mestizo')], [])
})
