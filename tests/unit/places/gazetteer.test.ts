import gazetteer from '#data/gazetteer.json' with { type: 'json' }
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { suggestPlaces } from '#features/places/suggest.server.ts'
import { NOT_PLACES, PLACE_SPELLINGS } from '#tests/support/map/place-spellings.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const distanceKm = (place: { lat: number; lon: number }, lat: number, lon: number) =>
  Math.hypot((place.lon - lon) * Math.cos((lat * Math.PI) / 180), place.lat - lat) * 111.2

const names = (text: string, limit?: number) => suggestPlaces(text, limit).map(({ name }) => name)

const test = suite('unit/places/gazetteer')

test('every spelling of the table leads to its place', () => {
  assert.ok(PLACE_SPELLINGS.length >= 150)
  assert.is(new Set(PLACE_SPELLINGS.map(([text]) => text)).size, PLACE_SPELLINGS.length)
  const faults = PLACE_SPELLINGS.flatMap(([text, lat, lon, far = 3]) => {
    const place = findPlace(text)
    const km = place && distanceKm(place, lat, lon)
    return km === null || km > far ? [`${text}: ${place ? `${place.name}, ${km!.toFixed(1)} km` : 'nothing'}`] : []
  })
  assert.equal(faults, [])
})

test('nonsense is no place', () => {
  assertNone(NOT_PLACES, (text) => findPlace(text))
})

test('any text gives a result, whatever it consists of', () => {
  const pieces = [
    'Santa Cruz',
    'la',
    ',',
    '(',
    ')',
    ' - ',
    '/',
    'Madrid',
    "d'",
    '~',
    'ñ',
    '28',
    'provincia de',
    '\0',
    '🐶',
    ';',
  ]
  let seed = 7
  const next = () => (seed = (seed * 48271) % 2147483647) % pieces.length
  for (let i = 0; i < 3000; i++) {
    const text = Array.from({ length: (i % 9) + 1 }, () => pieces[next()]).join(i % 2 ? ' ' : '')
    const place = findPlace(text)
    assert.ok(place === null || (Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180 && place.name), text)
    assert.ok(suggestPlaces(text).length <= 8)
  }
})

test('a shown name is a valid zone of a dog and leads back to its place', () => {
  const faults: string[] = []
  let checked = 0
  for (const line of gazetteer.places) {
    const [kind, , , forms] = line.split(';') as [string, string, string, string]
    if (kind !== 'm') continue
    for (const place of suggestPlaces(forms.split('|')[0]!, 20).slice(0, 2)) {
      checked++
      const zone = dogSchema.safeParse({ zone: place.name })
      const found = findPlace(place.name)
      if (!zone.success || !found || distanceKm(found, place.lat, place.lon) > 3) faults.push(place.name)
    }
  }
  assert.ok(checked > 8000)
  assert.equal(faults, [])
})

test('of namesakes a town precedes its province, and a named container decides', () => {
  assert.is(findPlace('Toledo')!.kind, 'municipality')
  assert.is(findPlace('provincia de Toledo')!.kind, 'province')
  assert.is(findPlace('provincia de Toledo')!.name, 'Provincia de Toledo')
  assert.is(findPlace('Asturias')!.name, 'Asturias')
  assert.is(findPlace('La Palma')!.kind, 'island')
  assert.is(findPlace('Salamanca')!.kind, 'municipality')
  assert.is(findPlace('Salamanca, Madrid')!.kind, 'district')
  assert.is(findPlace('Cuenca')!.name, 'Cuenca, Cuenca')
  assert.is(findPlace('Cuenca, Ecuador')!.name, 'Cuenca, Ecuador')
})

test('a place has the name that the person typed', () => {
  assert.is(findPlace('donostia')!.name, 'Donostia, Gipuzkoa')
  assert.is(findPlace('san sebastian')!.name, 'San Sebastián, Gipuzkoa')
  assert.is(findPlace('gerona')!.name, 'Gerona, Girona')
  assert.is(findPlace('chamberi madrid')!.name, 'Chamberí, Madrid')
  assert.is(findPlace('palma')!.name, 'Palma, Mallorca')
  assert.is(findPlace('tenerife')!.name, 'Tenerife, Canarias')
  assert.is(findPlace('la habana')!.name, 'La Habana, Cuba')
})

test('suggestions rank a whole name first, then by population, in any language of the name', () => {
  assert.is(names('mad')[0], 'Madrid, Madrid')
  assert.is(names('Donos')[0], 'Donostia, Gipuzkoa')
  assert.is(names('san seba')[0], 'San Sebastián, Gipuzkoa')
  assert.is(names('alican')[0], 'Alicante, Alicante')
  assert.is(names('alacan')[0], 'Alacant, Alicante')
  assert.is(names('coruñ')[0], 'Coruña, A Coruña')
  assert.is(names('cha')[0]!.split(',')[1], ' Madrid')
  // Twenty Villanuevas have more people than Oia; a whole name goes before them all.
  assert.is(names('oia')[0], 'Oia, Pontevedra')
  assert.is(names('chamberí, ma')[0], 'Chamberí, Madrid')
  assert.equal(names('chamberí, bar'), [])
  assert.ok(names('bogo').includes('Bogotá, Colombia'))
  assert.ok(names('mallo').includes('Mallorca, Islas Baleares'))
})

test('suggestions are towns, quarters and islands, up to the limit, and none for one letter', () => {
  assert.is(suggestPlaces('san', 5).length, 5)
  assert.is(suggestPlaces('la').length, 8)
  assert.equal(suggestPlaces('m'), [])
  assert.equal(suggestPlaces(''), [])
  assert.equal(suggestPlaces('zzzz'), [])
  for (const text of ['and', 'cat', 'gal', 'viz', 'esp', 'col'])
    for (const { kind } of suggestPlaces(text, 50))
      assert.ok(['municipality', 'district', 'island', 'city'].includes(kind), `${text}: ${kind}`)
  assert.not(names('centr', 50).includes('Centro, Madrid'))
})
