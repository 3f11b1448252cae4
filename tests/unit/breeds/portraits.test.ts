import razas from '#data/razas.json' with { type: 'json' }
import { drawPortrait, SCENES } from '#features/breeds/portrait/index.ts'
import { breedTraits } from '#features/breeds/portrait/traits/traits.ts'
import { type LikePair, likePairs, structureOnly } from '../../../scripts/lib/portrait-likeness.ts'
import { assert, suite } from '#tests/support/suites.ts'

/** The ears that each class of the breed data may be drawn with. */
const EARS_BY_CLASS: Record<string, RegExp> = {
  erguidas: /^(erect|bat|small|bear|tall|wing|butterfly|tulip|prick|hooded|blunt)$/,
  semierectas: /^(semi|tipped|button|highButton|highFold|rose)$/,
  rosa: /^rose/,
  caidas: /^(button|highButton|drop|vee|highFold|pendant|leaf|filbert|long|lobe|hound|pointed|curled|fold)$/,
}

/** Least root mean square of the difference between two portraits, of 255 (scripts/lib/portrait-likeness.ts). */
const LIKENESS_BOUND = 20

const portraits = suite('unit/breeds/portraits')

const facts = razas.map((r) => ({ ...r, slug: r.imagen_purina.replace('/retratos/', '').replace('.svg', '') }))
const find = (slug: string) => facts.find((f) => f.slug === slug)!

/** A simple well-formedness check: tags nest, attributes are quoted and unique, nothing is left over. */
function wellFormed(svg: string): string | null {
  const open: string[] = []
  let at = 0
  for (const m of svg.matchAll(/<(\/?)([a-zA-Z]+)((?: [a-zA-Z-]+="[^"<&]*")*)(\/?)>/g)) {
    if (m.index !== at) return `stray text at ${at}: ${svg.slice(at, at + 40)}`
    at = m.index + m[0].length
    const names = [...m[3]!.matchAll(/ ([a-zA-Z-]+)=/g)].map((a) => a[1])
    if (new Set(names).size !== names.length) return `attribute twice in ${m[0]}`
    if (m[1]) {
      if (open.pop() !== m[2]) return `</${m[2]}> closes another tag`
    } else if (!m[4]) open.push(m[2]!)
  }
  return at !== svg.length ? `stray text at the end` : open.length ? `unclosed <${open.at(-1)}>` : null
}

const ids = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]!)
const canonical = facts.map((f) => drawPortrait(f))

portraits('every breed has a valid, self-contained SVG', () => {
  canonical.forEach((svg, i) => {
    const slug = facts[i]!.slug
    assert.is(wellFormed(svg), null, slug)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 200 200"/)
    assert.not.match(svg, /NaN|undefined|null|Infinity|<script|<m>|href="(?!#)|url\((?!#)|style=|on[a-z]+=/, slug)
    for (const [, n] of svg.matchAll(/-?\d*\.(\d+)/g)) assert.ok(n!.length <= 2, `${slug}: too many decimals`)
  })
})

portraits('sizes stay small', () => {
  canonical.forEach((svg, i) => assert.ok(svg.length < 6000, `${facts[i]!.slug}: ${svg.length} bytes`))
  const scenes = facts.map((f, i) => drawPortrait(f, { individual: 'a' + i, ground: SCENES[i % SCENES.length]! }))
  for (const s of scenes) assert.ok(s.length < 9000)
  scenes.forEach((s, i) => assert.is(wellFormed(s), null, facts[i]!.slug))
})

portraits('the ears are of the class that the breed data name', () => {
  for (const f of facts) assert.match(breedTraits(f).ear, EARS_BY_CLASS[f.orejas]!, f.slug)
})

portraits('no two breeds look the same, even without background and ids', () => {
  const bare = facts.map((f) => {
    const svg = drawPortrait(f, { ground: 'none' })
    return svg.replaceAll(ids(svg)[0]!.slice(0, -1), 'x')
  })
  assert.is(new Set(bare).size, facts.length)
})

/** Sizes of one breed, whose heads differ in nothing else. */
const VARIETIES = ['caniche', 'caniche-toy', 'caniche-enano', 'caniche-mediano', 'caniche-gigante']
const withoutVarieties = (pairs: readonly LikePair[]) =>
  pairs.filter(({ a, b }) => !VARIETIES.includes(a) || !VARIETIES.includes(b))

portraits('no two breeds are drawn alike, in grey and without their collars', async () => {
  assert.equal(withoutVarieties(await likePairs(facts, LIKENESS_BOUND)), [])
})

portraits('no two breeds have the same build: patches and colours alone tell none apart', async () => {
  assert.equal(withoutVarieties(await likePairs(facts, LIKENESS_BOUND, structureOnly)), [])
})

portraits('every reference has its id, and ids are unique over breeds, individuals and backgrounds', () => {
  const all = [
    ...canonical,
    ...facts.map((f) => drawPortrait(f, { individual: 'kira', ground: 'park' })),
    ...facts.map((f) => drawPortrait(f, { individual: 'thor' })),
    ...facts.map((f) => drawPortrait(f, { silhouette: true })),
  ]
  const seen = new Set<string>()
  for (const svg of all) {
    const own = ids(svg)
    for (const id of own) {
      assert.not.ok(seen.has(id), id)
      seen.add(id)
    }
    for (const [, ref] of svg.matchAll(/(?:href="|url\()#([^")]+)/g)) assert.ok(own.includes(ref!), ref)
  }
})

portraits('a silhouette is one shape in one colour without background', () => {
  for (const f of facts) {
    const svg = drawPortrait(f, { silhouette: true })
    assert.is(wellFormed(svg), null, f.slug)
    const paints = new Set([...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map((m) => m[1]!))
    paints.delete('none')
    assert.equal([...paints], ['currentColor'], f.slug)
    assert.not.match(svg, /M0 0h200v200|opacity/, f.slug)
  }
})

portraits('the same call returns the same picture; individuals differ', () => {
  const lab = find('labrador-retriever')
  assert.is(drawPortrait(lab), drawPortrait(lab))
  const dogs = Array.from({ length: 40 }, (_, i) => drawPortrait(lab, { individual: `dog ${i}`, ground: 'beach' }))
  assert.is(new Set(dogs.map((d) => d.replaceAll(ids(d)[0]!.slice(0, -1), 'x'))).size, 40)
  assert.is(drawPortrait(lab, { individual: '' }), drawPortrait(lab, { individual: '' }))
})

portraits('neighbours in the album have different backgrounds', () => {
  const sorted = facts.toSorted((a, b) => a.nombre_castellano.localeCompare(b.nombre_castellano, 'es'))
  const ground = sorted.map((f) => /fill="(#\w+)"/.exec(drawPortrait(f))![1])
  for (let i = 1; i < ground.length; i++) assert.is.not(ground[i], ground[i - 1], sorted[i]!.slug)
})

portraits('size, background and missing facts are options', () => {
  assert.match(drawPortrait(find('beagle'), { size: 96 }), /width="96" height="96"/)
  assert.not.match(drawPortrait(find('beagle'), { ground: 'none' }), /M0 0h200v200/)
  assert.ok(SCENES.length >= 8)
  const blank = {
    slug: 'raza-nueva',
    orejas: '',
    cola: '',
    hocico: '',
    colores: '',
    pelaje: '',
    fci_grupo: null,
    fci_seccion: null,
    peso_kg_min: 0,
    peso_kg_max: 0,
    altura_cm_min: 0,
    altura_cm_max: 0,
    nombre_castellano: '"<&',
  }
  assert.is(wellFormed(drawPortrait(blank, { individual: '"><script>' })), null)
})
