import { breedFacts } from '#features/challenges/breed-facts.server.ts'
import { continentOf, CONTINENTS, CRADLES } from '#features/challenges/places.ts'
import type { DogFacts } from '#features/challenges/facts.ts'
import { fitsWeek, themeOf, THEMES } from '#features/challenges/themes.ts'
import { listProvinces } from '#features/places/provinces.server.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const themes = suite('unit/challenges/themes')

const breeds = [...breedFacts().values()]
const dogOf = (slug: string, fields: Partial<DogFacts> = {}): DogFacts => ({
  breed: breedFacts().get(slug)!,
  size: null,
  province: '',
  descriptionChars: 0,
  isAdopted: false,
  ageMonths: null,
  ...fields,
})
const theme = (id: string) => THEMES.find((each) => each.id === id)!

themes('there are sixty themes, each with its own name', () => {
  assert.is(THEMES.length, 60)
  for (const name of ['id', 'title'] as const) assert.is(new Set(THEMES.map((each) => each[name])).size, 60)
})

themes('none comes twice in sixty weeks, and then all come again', () => {
  for (let first = 0; first < 60; first++)
    assert.is(new Set(Array.from({ length: 60 }, (_, i) => themeOf(first + i)!.id)).size, 60)
  assert.is(themeOf(60), themeOf(0))
  assert.equal([themeOf(-1), fitsWeek(-1, dogOf('beagle'))], [undefined, false])
})

themes('every theme fits some dog, and none fits all', () => {
  const variants: Partial<DogFacts>[] = [
    {},
    ...['mini', 'pequeño', 'mediano', 'grande', 'gigante'].map((size) => ({ size })),
    ...listProvinces().map(({ id }) => ({ province: id })),
    { descriptionChars: 60 },
    { descriptionChars: 140 },
    { isAdopted: true },
    { ageMonths: 3 },
    { ageMonths: 120 },
  ]
  for (const each of THEMES) {
    const fitting = breeds.filter(({ slug }) => variants.some((fields) => each.fits(dogOf(slug, fields))))
    // A mix is one of 441 breeds, and the commonest dog.
    const isOfMixes = fitting.every(({ isMixed }) => isMixed)
    assert.ok(fitting.length >= (isOfMixes ? 1 : 5), `${each.id} fits ${fitting.length} breeds`)
    assert.ok(
      breeds.some(({ slug }) => !each.fits(dogOf(slug))),
      each.id,
    )
  }
})

themes('themes ask for what they say', () => {
  assert.ok(theme('pastor').fits(dogOf('border-collie')))
  assert.not(theme('pastor').fits(dogOf('beagle')))
  assert.ok(theme('agua').fits(dogOf('perro-de-agua-espanol')))
  assert.ok(theme('lebrel').fits(dogOf('galgo-espanol')))
  assert.ok(theme('rizos').fits(dogOf('caniche')) || theme('rizos').fits(dogOf('perro-de-agua-espanol')))
  assert.ok(theme('paticorto').fits(dogOf('basset-hound')) || theme('paticorto').fits(dogOf('welsh-corgi-pembroke')))
  assert.not(theme('paticorto').fits(dogOf('chihuahua')))
  assert.ok(theme('de-su-tierra').fits(dogOf('galgo-espanol', { province: '45' })))
  assert.not(theme('de-su-tierra').fits(dogOf('galgo-espanol', { province: '35' })))
  assert.not(theme('de-su-tierra').fits(dogOf('beagle', { province: '45' })))
  assert.ok(theme('mestizo-con-historia').fits(dogOf('mestizo', { descriptionChars: 60 })))
  assert.not(theme('mestizo-con-historia').fits(dogOf('mestizo', { descriptionChars: 59 })))
  assert.not(theme('mestizo-con-historia').fits(dogOf('beagle', { descriptionChars: 600 })))
})

themes('every country has a continent, and every Spanish breed its provinces', () => {
  const countries = new Set(breeds.flatMap((breed) => breed.countries))
  assertNone([...countries], (country) => continentOf(country) === undefined)
  const known = Object.values(CONTINENTS).flat()
  assertNone(known, (country) => !countries.has(country))
  const spanish = breeds.filter((breed) => breed.countries.includes('España')).map(({ slug }) => slug)
  assert.equal(Object.keys(CRADLES).toSorted(), spanish.toSorted())
  const provinces = new Set(listProvinces().map(({ id }) => id))
  for (const id of Object.values(CRADLES).flat()) assert.ok(provinces.has(id), id)
})

themes('a province is either by the sea or inland', () => {
  const sea = theme('junto-al-mar')
  const inland = theme('tierra-adentro')
  for (const { id, name } of listProvinces()) {
    const dog = dogOf('beagle', { province: id })
    assert.is.not(sea.fits(dog), inland.fits(dog), name)
  }
})
