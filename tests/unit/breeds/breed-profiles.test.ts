import { allBreeds, breedBySlug, breedNames } from '#features/breeds/catalogue.server.ts'
import {
  dangerousDogSlugs,
  dangerousDogStatus,
  REGIONAL_LISTS,
  regionsText,
  WHY_OFTEN_INCLUDED,
} from '#features/breeds/profile/law.ts'
import { breedMark } from '#features/breeds/profile/marks.ts'
import { profiledSlugs, profileOf } from '#features/breeds/profile/profiles.server.ts'
import { type BreedProfile, SECTION_NAMES } from '#features/breeds/profile/profiles.ts'
import { TRAIT_NAMES, TRAIT_SOURCES } from '#features/breeds/profile/traits.ts'
import { countCharacters, foldText } from '#lib/text/text.ts'
import { assert, suite } from '#tests/support/suites.ts'

const profiles = suite('unit/breeds/breed-profiles')

const all = breedNames.map(({ slug }) => [slug, profileOf(slug)!, breedBySlug(slug)!] as const)
const words = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
const stem = (word: string) => word.slice(0, 6)
const firstSentence = (text: string) => /^[^.!?…]*/.exec(text)![0]
const shareOf = (texts: readonly string[], test: (text: string) => boolean) => texts.filter(test).length / texts.length
const textsOf = (profile: BreedProfile) => [profile.summary, ...Object.values(profile.sections)]

profiles('every breed has one, and nothing else does', () => {
  assert.equal(profiledSlugs().toSorted(), breedNames.map(({ slug }) => slug).toSorted())
})

profiles('a summary names its breed and fits a search result', () => {
  for (const [slug, { summary }, breed] of all) {
    const length = countCharacters(summary)
    assert.ok(length >= 90 && length <= 155, `${slug}: ${length} characters`)
    // Also in the plural: «podencos andaluces».
    const stems = [breed.nombre_castellano, breed.nombre_original, ...breed.alias].flatMap(words).map(stem)
    assert.ok(
      words(summary).some((word) => stems.includes(stem(word))),
      `${slug}: ${summary}`,
    )
  }
  assert.is(new Set(all.map(([, { summary }]) => summary)).size, all.length)
})

profiles('summaries begin in many ways', () => {
  const openings = (count: number) => all.map(([, { summary }]) => words(summary).slice(0, count).join(' '))
  const most = (texts: readonly string[]) =>
    Math.max(
      ...Map.groupBy(texts, (text) => text)
        .values()
        .map(({ length }) => length),
    )
  assert.ok(most(openings(2)) / all.length <= 0.08, 'the same two words')
  assert.ok(most(openings(1)) / all.length <= 0.35, 'the same word')
})

profiles('sections have 40 to 90 words', () => {
  for (const [slug, { sections }] of all)
    for (const [name, text] of Object.entries(sections)) {
      const count = words(text).length
      assert.ok(count >= 40 && count <= 90, `${slug}: ${name} has ${count} words`)
      assert.not.match(text, /\n|\s\s|"|[<>*_]/, `${slug}: ${name}`)
      assert.match(text, /[.!?»…]$/, `${slug}: ${name}`)
    }
  assert.ok(all.filter(([, { sections }]) => Object.keys(sections).length === SECTION_NAMES.length).length > 425)
})

profiles('no stretch of eight words is in two texts', () => {
  const seen = new Map<string, string>()
  for (const [slug, profile, breed] of all)
    for (const [i, text] of [...textsOf(profile), breed.descripcion, ...breed.datos_curiosos].entries()) {
      const list = words(text)
      for (let at = 0; at + 8 <= list.length; at++) {
        const stretch = list.slice(at, at + 8).join(' ')
        const where = `${slug} ${i}`
        assert.ok((seen.get(stretch) ?? where) === where, `${seen.get(stretch)} and ${where}: ${stretch}`)
        seen.set(stretch, where)
      }
    }
})

profiles('few first sentences have a colon', () => {
  const leads = allBreeds.map((breed) => breed.descripcion)
  assert.ok(shareOf(leads, (text) => firstSentence(text).includes(':')) < 0.15)
  const sections = all.flatMap(([, profile]) => Object.values(profile.sections))
  assert.ok(shareOf(sections, (text) => firstSentence(text).includes(':')) < 0.15)
})

profiles('nobody is told to do anything in the manner of old recipes', () => {
  for (const [slug, profile, breed] of all)
    for (const text of [breed.descripcion, ...textsOf(profile)])
      assert.not.match(text, /\p{L}{3,}(?:áse|ése|íde|ídese|épese|éjese|áyase|éngase)(?:l[aeo]s?)?(?!\p{L})/u, slug)
})

profiles('every bar has a value from 1 to 5 and a source', () => {
  for (const [slug, { traits }] of all) {
    assert.ok(Object.keys(traits).length >= 6 || slug === 'mestizo', slug)
    for (const [name, [value, source]] of Object.entries(traits)) {
      assert.ok((TRAIT_NAMES as string[]).includes(name), `${slug}: ${name}`)
      assert.ok([1, 2, 3, 4, 5].includes(value), `${slug}: ${name} ${value}`)
      assert.ok(source in TRAIT_SOURCES, `${slug}: ${name} ${source}`)
    }
  }
})

profiles('no value of a bar stands on more than 45 % of breeds', () => {
  for (const name of TRAIT_NAMES) {
    const values = all.flatMap(([, { traits }]) => traits[name]?.[0] ?? [])
    const most = Math.max(...[1, 2, 3, 4, 5].map((value) => values.filter((other) => other === value).length))
    assert.ok(most / values.length <= 0.45, `${name}: ${most} of ${values.length}`)
  }
})

profiles('figures by sex are in order, within the breed’s range, and have a source', () => {
  for (const [slug, { bySex = {}, figureSources = {} }, breed] of all) {
    const whole = {
      height_cm: [breed.altura_cm_min, breed.altura_cm_max],
      weight_kg: [breed.peso_kg_min, breed.peso_kg_max],
    } as const
    for (const [measure, ranges] of Object.entries(bySex) as [keyof typeof whole, Record<string, number[]>][]) {
      const [least, greatest] = whole[measure]
      for (const [sex, [min = NaN, max = NaN]] of Object.entries(ranges))
        assert.ok(least <= min && min <= max && max <= greatest, `${slug}: ${measure} of ${sex} ${min}–${max}`)
      assert.ok(figureSources[measure === 'height_cm' ? 'height' : 'weight'], `${slug}: source of ${measure}`)
    }
  }
})

profiles('the figures that were wrong are right', () => {
  const figures = (slug: string, ...fields: ('altura_cm_min' | 'altura_cm_max' | 'peso_kg_min' | 'peso_kg_max')[]) =>
    fields.map((field) => breedBySlug(slug)![field])
  assert.equal(figures('labrador-retriever', 'altura_cm_min', 'altura_cm_max'), [54, 57])
  assert.equal(figures('braco-frances-tipo-pirineos', 'altura_cm_min', 'altura_cm_max'), [47, 58])
  assert.equal(figures('braco-frances-tipo-gascuna', 'altura_cm_min'), [56])
  assert.equal([...figures('shikoku', 'altura_cm_min'), ...figures('kishu', 'altura_cm_min')], [43, 43])
  assert.equal(figures('cocker-spaniel-ingles', 'peso_kg_min', 'peso_kg_max'), [12.5, 14.5])
  assert.equal(figures('bulldog-ingles', 'peso_kg_min'), [23])
  assert.equal(figures('pequines', 'peso_kg_max'), [5.4])
  assert.equal(figures('dalmata', 'peso_kg_min'), [24])
  assert.equal(figures('boxer', 'peso_kg_max'), [36])
})

profiles('the badge of the law is on the eight of annex I and two that authorities count, each with its reason', () => {
  assert.is(dangerousDogSlugs.length, 10)
  for (const slug of dangerousDogSlugs) {
    assert.ok(breedBySlug(slug), slug)
    assert.is(dangerousDogStatus(slug) === 'often-included', slug in WHY_OFTEN_INCLUDED, slug)
  }
  assert.match(WHY_OFTEN_INCLUDED['american-bully']!, /pit bull.*cruces/)
  assert.not.match(WHY_OFTEN_INCLUDED['american-bully']!, /akita/)
})

profiles('listed breeds and flat faces carry a mark, others none', () => {
  const mark = (slug: string) => breedMark({ slug, hocico: breedBySlug(slug)!.hocico })
  assert.equal(['rottweiler', 'american-bully', 'carlino', 'bullmastiff', 'beagle'].map(mark), [
    'Licencia PPP',
    '¿Licencia?',
    'Hocico chato',
    '¿Licencia? · Hocico chato',
    '',
  ])
})

profiles('only the communities whose lists are sourced add breeds, and none with a badge', () => {
  assert.is(REGIONAL_LISTS.length, 4)
  for (const { region, source, slugs } of REGIONAL_LISTS) {
    assert.match(source.name, /\d+\/\d{4}/, region)
    for (const slug of slugs) {
      assert.ok(breedBySlug(slug), slug)
      assert.is(dangerousDogStatus(slug), undefined, slug)
    }
  }
  assert.is(regionsText('doberman'), 'Andalucía, Cataluña, la Comunidad Valenciana y Galicia')
  assert.is(regionsText('mastin-tibetano'), 'Galicia')
  assert.is(regionsText('bull-terrier-miniatura'), '')
  assert.is(regionsText('rottweiler'), '')
})

profiles('figures of all sizes of a breed are not mixed with those of one', () => {
  const { bySex } = profileOf('american-bully')!
  const { altura_cm_min, altura_cm_max } = breedBySlug('american-bully')!
  const { males, females } = bySex!.height_cm!
  assert.equal([females![0], males![1]], [altura_cm_min, altura_cm_max])
})

profiles('the bar of heat follows the standard before the coat', () => {
  assert.equal(profileOf('kangal')!.traits.heat, [3, 'fci-std'])
})
