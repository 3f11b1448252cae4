import razas from '#data/razas.json' with { type: 'json' }
import type { Breed } from '#features/breeds/breeds.ts'
import { slugify } from '#lib/text/slug.ts'
import { foldText } from '#lib/text/text.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const breeds: Breed[] = razas
const words = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
const sentences = (text: string) => text.split(/(?<=[.!?…»])\s+(?=[\p{Lu}¿¡«])/u).map((s) => words(s).join(' '))

const file = suite('unit/breeds/breed-data')

file('contains every breed once', () => {
  assert.is(new Set(breeds.map((b) => slugify(b.nombre_castellano))).size, breeds.length)
  assert.is(breeds.filter((b) => b.nombre_castellano === 'Mestizo').length, 1)
})

/** The breeds of the first album. Later ones have the next numbers. */
const FIRST_BREEDS = 434

file('numbers its first breeds in A–Z order, ñ after n, and later ones after them', () => {
  assert.equal(
    pluck(breeds, 'id'),
    breeds.map((_, i) => i + 1),
  )
  const names = breeds.slice(0, FIRST_BREEDS).map((b) => b.nombre_castellano)
  const sorted = names.toSorted(new Intl.Collator('es', { sensitivity: 'base' }).compare)
  assert.equal(names, sorted)
})

file('has every field', () => {
  for (const b of breeds) {
    const mixed = b.nombre_castellano === 'Mestizo'
    for (const key of [
      'nombre_castellano',
      'nombre_original',
      'descripcion',
      'temperamento',
      'pelaje',
      'proposito_original',
      'nivel_energia',
      'imagen_purina',
      'colores',
      'orejas',
      'cola',
      'hocico',
    ] as const)
      assert.ok(
        typeof b[key] === 'string' && b[key].trim() === b[key] && b[key] !== '',
        `${b.nombre_castellano}: ${key}`,
      )
    assert.ok(mixed || b.pais_origen !== '', `${b.nombre_castellano}: pais_origen`)
    assert.is(b.imagen_purina, `/retratos/${slugify(b.nombre_castellano)}.svg`)
  }
})

file('has plausible ranges', () => {
  const between = (b: Breed, min: number, max: number, low: number, high: number, what: string) =>
    assert.ok(low <= min && min <= max && max <= high, `${b.nombre_castellano}: ${what} ${min}–${max}`)
  for (const b of breeds) {
    between(b, b.peso_kg_min, b.peso_kg_max, 0.5, 120, 'peso')
    between(b, b.altura_cm_min, b.altura_cm_max, 10, 110, 'altura')
    between(b, b.esperanza_vida_min, b.esperanza_vida_max, 5, 20, 'vida')
    assert.ok(['baja', 'media', 'alta', 'muy alta'].includes(b.nivel_energia), b.nombre_castellano)
  }
})

file('describes every breed in 80 to 140 words, one paragraph', () => {
  for (const b of breeds) {
    const count = b.descripcion.split(/\s+/).length
    assert.ok(count >= 80 && count <= 140, `${b.nombre_castellano}: ${count} palabras`)
    assert.not.match(b.descripcion, /\n|\s\s|"|[<>*_]/, b.nombre_castellano)
    assert.match(b.descripcion, /[.!?»…]$/, b.nombre_castellano)
  }
})

file('has up to five facts for each, as full sentences', () => {
  for (const b of breeds) {
    assert.ok(b.datos_curiosos.length <= 5, b.nombre_castellano)
    for (const fact of b.datos_curiosos) {
      assert.match(fact, /^[\p{Lu}\d«¿¡].*[.!?»]$/u, `${b.nombre_castellano}: ${fact}`)
      assert.not.match(fact, /\n|\s\s|"|[<>*_]/, b.nombre_castellano)
    }
  }
})

file('repeats no sentence', () => {
  const seen = new Map<string, string>()
  for (const b of breeds)
    for (const sentence of [b.descripcion, ...b.datos_curiosos].flatMap(sentences).filter((s) => s.length > 20)) {
      assert.not.ok(seen.has(sentence), `${b.nombre_castellano} and ${seen.get(sentence)}: ${sentence}`)
      seen.set(sentence, b.nombre_castellano)
    }
})

file('has no two similar descriptions: no pair shares an eighth of its three-word runs', () => {
  const runs = breeds.map((b) => {
    const list = words(b.descripcion)
    return new Set(list.slice(2).map((word, i) => `${list[i]} ${list[i + 1]} ${word}`))
  })
  const holders = new Map<string, number[]>()
  runs.forEach((set, i) => set.forEach((run) => holders.set(run, [...(holders.get(run) ?? []), i])))
  const shared = new Map<string, number>()
  for (const list of holders.values())
    for (const a of list) for (const b of list) if (a < b) shared.set(`${a} ${b}`, (shared.get(`${a} ${b}`) ?? 0) + 1)
  for (const [pair, count] of shared) {
    const [a, b] = pair.split(' ').map(Number) as [number, number]
    const overlap = count / Math.min(runs[a]!.size, runs[b]!.size)
    assert.ok(
      overlap < 0.125,
      `${breeds[a]!.nombre_castellano} and ${breeds[b]!.nombre_castellano}: ${overlap.toFixed(2)}`,
    )
  }
})
