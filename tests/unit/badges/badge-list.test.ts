import { BADGES } from '#features/badges/badge-list.ts'
import { BadgeDecider } from '#features/badges/decide.ts'
import { badgeShapes } from '#features/badges/drawings.ts'
import { MOTIFS } from '#features/badges/motif-shapes.ts'
import { breedFacts } from '#features/challenges/breed-facts.server.ts'
import { THEMES } from '#features/challenges/themes.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const list = suite('unit/badges/badge-list')

const YEAR_BEFORE = Date.parse('2025-11-26T12:00:00Z')

list('every badge has a key, a title and a drawing of its own', () => {
  for (const name of ['key', 'title', 'text'] as const)
    assert.is(new Set(BADGES.map((badge) => badge[name])).size, BADGES.length, name)
  const drawings = BADGES.map(({ motif, ground }) => badgeShapes(motif, ground, false))
  assert.is(new Set(drawings).size, BADGES.length)
})

list('every motif is drawn, and used', () => {
  const used = new Set([...BADGES, ...THEMES].map(({ motif }) => motif))
  assert.equal(Object.keys(MOTIFS).toSorted(), [...used].toSorted())
  for (const [motif, shapes] of Object.entries(MOTIFS)) assert.not.match(shapes, /NaN|undefined/, motif)
})

list('none says that it counts dogs, photos, likes, comments or days in a row', () => {
  for (const { key, unit } of BADGES) assert.not.match(unit.join(' '), /perro|foto|like|comentario|día/, key)
})

list('the same dog again brings no badge further', () => {
  const decider = new BadgeDecider(0)
  const beagle = { breed: breedFacts().get('beagle')!, size: 'mediano', province: '28' }
  const facts = { ...beagle, descriptionChars: 500, isAdopted: true, ageMonths: 20 }
  for (let i = 0; i < 50; i++) decider.add({ ...facts, id: `dog ${i}`, createdAt: YEAR_BEFORE + i })
  for (const { badge, progress, earnedAt } of decider.states()) {
    assert.is(progress, 1, badge)
    assert.is(earnedAt, null, badge)
  }
})

list('a full catalogue earns every badge of breeds', () => {
  const decider = new BadgeDecider(0)
  const sizes = ['mini', 'pequeño', 'mediano', 'grande', 'gigante']
  let i = 0
  for (const breed of breedFacts().values())
    decider.add({
      breed,
      size: sizes[i % 5]!,
      province: String((i % 12) + 1).padStart(2, '0'),
      descriptionChars: 0,
      isAdopted: false,
      ageMonths: null,
      id: `dog ${i}`,
      createdAt: YEAR_BEFORE + i++,
    })
  const earned = new Set(decider.states().flatMap(({ badge, earnedAt }) => (earnedAt === null ? [] : [badge])))
  assert.equal(
    pluck(BADGES, 'key').filter((key) => !earned.has(key)),
    ['first-of-breed', 'four-weeks', 'twelve-weeks'],
  )
})
