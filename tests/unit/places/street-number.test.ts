import gazetteer from '#data/gazetteer.json' with { type: 'json' }
import { dogPatchSchema, dogSchema } from '#features/dogs/write/dog-input.ts'
import { containerName, getGazetteer } from '#features/places/gazetteer.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { toZoneText } from '#features/places/places.ts'
import { withoutStreetNumber } from '#features/places/street-number.ts'
import { NUMBERED_PLACES, UNMARKED_ADDRESSES } from '#tests/support/map/numbered-zones.ts'
import { PLACE_SPELLINGS } from '#tests/support/map/place-spellings.ts'
import { assert, suite } from '#tests/support/suites.ts'

const numbers = suite('unit/places/street-number')

/** A zone as written, and as stored. */
const STRIPPED: [string, string][] = [
  ['Calle de Alcalá, 45, Madrid', 'Calle de Alcalá, Madrid'],
  ['Calle de Alcalá 45, Madrid', 'Calle de Alcalá, Madrid'],
  ['Calle de Alcalá 45 Madrid', 'Calle de Alcalá Madrid'],
  ['C/ Mayor 3, 2º B', 'C/ Mayor'],
  ['C/Mayor 3', 'C/Mayor'],
  ['C Mayor 3, 2 B, Getafe', 'C Mayor, Getafe'],
  ['Avda. de América 45', 'Avda. de América'],
  ['calle Mayor núm. 12', 'calle Mayor'],
  ['calle Mayor nº 4', 'calle Mayor'],
  ['calle Mayor nº4', 'calle Mayor'],
  ['calle Mayor s/n', 'calle Mayor'],
  ['calle Mayor, s/n, Toledo', 'calle Mayor, Toledo'],
  ['calle Mayor sn', 'calle Mayor'],
  ['Carretera de Burgos km 3', 'Carretera de Burgos'],
  ['Carretera de Burgos, km 3,5, Alcobendas', 'Carretera de Burgos, Alcobendas'],
  ['Calle Mayor 3, 28013 Madrid', 'Calle Mayor, 28013 Madrid'],
  ['Calle Mayor, 3, 28013, Madrid', 'Calle Mayor, 28013, Madrid'],
  ['Calle 13, 45', 'Calle 13'],
  ['Calle 13 nº 4', 'Calle 13'],
  ['Calle 13 45', 'Calle 13'],
  ['Plaza 2 de Mayo 7', 'Plaza 2 de Mayo'],
  ['Plaza del 2 de Mayo, 7, Madrid', 'Plaza del 2 de Mayo, Madrid'],
  ['Gran Vía 28', 'Gran Vía'],
  ['Gran Vía, 28, Madrid', 'Gran Vía, Madrid'],
  ['Calle Mayor 12-14', 'Calle Mayor'],
  ['Calle Mayor 12 - 14', 'Calle Mayor'],
  ['Calle Mayor 3 y 5', 'Calle Mayor'],
  ['Calle Mayor 3 bis', 'Calle Mayor'],
  ['Calle Mayor 3B', 'Calle Mayor'],
  ['Calle Mayor 3, 2º izq, Lugo', 'Calle Mayor, Lugo'],
  ['Calle Real 3 A Coruña', 'Calle Real A Coruña'],
  ['Calle Real 3, A Coruña', 'Calle Real, A Coruña'],
  ['Calle Real 3 A, Coruña', 'Calle Real, Coruña'],
  ['Carretera N 340 km 12, Cádiz', 'Carretera N 340, Cádiz'],
  ['Carretera de Valencia 340', 'Carretera de Valencia'],
  ['Rambla 12, Barcelona', 'Rambla, Barcelona'],
  ['La Rambla 12', 'La Rambla'],
  ['Ercilla kalea 12, Bilbao', 'Ercilla kalea, Bilbao'],
  ['Urbanización Los Pinos 12', 'Urbanización Los Pinos'],
  ['Urb. El Bosque, Los Robles 12', 'Urb. El Bosque, Los Robles'],
  ['Urbanización Los Pinos, chalet 12', 'Urbanización Los Pinos'],
  ['Calle Alfonso XII 23', 'Calle Alfonso XII'],
  ['Paseo de la Castellana, 100, 4º D, Madrid', 'Paseo de la Castellana, Madrid'],
  ['45, Calle de Alcalá, Madrid', 'Calle de Alcalá, Madrid'],
  ['Alcalá, 45', 'Alcalá'],
  ['Alcalá, 45 Madrid', 'Alcalá, Madrid'],
  ['Glorieta de Cuatro Caminos 7', 'Glorieta de Cuatro Caminos'],
  ['Calle 25 de Abril 3 bajo', 'Calle 25 de Abril'],
  ['Calle Mayor 3 2 B Madrid', 'Calle Mayor Madrid'],
  ['Calle Mayor 3, portal 2, escalera B, 3º C', 'Calle Mayor'],
  ['Calle Mayor número 12, Toledo', 'Calle Mayor, Toledo'],
  ['Carrer de Mallorca 401, Barcelona', 'Carrer de Mallorca, Barcelona'],
  ['Carrer 11 de Setembre 5', 'Carrer 11 de Setembre'],
  ['Rúa do Franco 12, Santiago', 'Rúa do Franco, Santiago'],
  ['Av. 9 de Julio 1000, Buenos Aires', 'Av. 9 de Julio, Buenos Aires'],
  ['Calle Mayor 3 Madrid 28013', 'Calle Mayor Madrid 28013'],
  ['Calle 85 # 12-30, Bogotá', 'Calle 85, Bogotá'],
  ['Camino de Santiago 3', 'Camino de Santiago'],
  ['Vía Augusta 12', 'Vía Augusta'],
  ['Calle Mayor, 3º', 'Calle Mayor'],
  [',3', ''],
  ['Madrid, 22', 'Madrid'],
  ['Madrid,22', 'Madrid'],
  ['Calle Once 11', 'Calle Once'],
  ['Calle 3, 4, 5', 'Calle 3'],
  ['Pº de la Habana 3', 'Pº de la Habana'],
  ['Plaza de España, nº 4, 3º D, Sevilla', 'Plaza de España, Sevilla'],
  ['AVENIDA DE AMÉRICA Nº 45', 'AVENIDA DE AMÉRICA'],
  ['Calle Mayor 3,Madrid', 'Calle Mayor, Madrid'],
  ['Calle Mayor,3,Madrid', 'Calle Mayor, Madrid'],
  ['Calle Mayor 3 esc. 2 piso 4 pta. 1', 'Calle Mayor'],
  ['Polígono Industrial Sur, nave 12', 'Polígono Industrial Sur'],
  ['Barrio La Iglesia 12', 'Barrio La Iglesia'],
  ...UNMARKED_ADDRESSES,
]

/** What holds no door's number, whatever numbers it holds. */
const UNCHANGED = [
  'Avda. 45',
  '28013',
  '28013 Madrid',
  'Madrid, 28013',
  'Calle 13',
  '2 de Mayo, Madrid',
  'Madrid, 2 de Mayo',
  'Barrio 3',
  'Distrito 22',
  'Distrito 22, Madrid',
  'Madrid, Distrito 22',
  '3 Cantos',
  'Madrid, 3 Cantos',
  '2 Hermanas, Sevilla',
  'Carretera N-340',
  'Carretera N 340',
  'Carretera Nacional 340',
  'Autovía A-6',
  'Urbanización Montecarmelo Fase 2',
  'Polígono 14',
  'Sector 3, Getafe',
  'Lisboa, 1100-148',
  'París 11',
  'Calle de la Constitución de 1812, Cádiz',
  'Plaza 1812',
  'Glorieta de 4 Caminos',
  '4 Caminos, Madrid',
  'Madrid, 4 Caminos',
  '11 de Septiembre',
  'Plaza Mayor',
  'Ronda, Málaga',
  'Madrid 28013',
  'Zona 5',
  'Parque 93, Bogotá',
  'Bogotá, Calle 13',
  'Calle 1 de Mayo',
  'Calle del 1',
  'M-30',
  'Calle Mayor, bajo B',
  'Calle Mayor nº',
  's/n',
  '3',
  'Valencia, 1er distrito',
  ...NUMBERED_PLACES,
]

numbers('a house number is removed, with its floor, stairs and letter', () => {
  for (const [typed, kept] of STRIPPED) assert.is(withoutStreetNumber(typed), kept, typed)
})

numbers('a name that contains a number keeps it', () => {
  for (const zone of UNCHANGED) assert.is(withoutStreetNumber(zone), zone)
})

numbers('a stored zone does not change when stored again', () => {
  for (const [typed, kept] of STRIPPED) assert.is(withoutStreetNumber(kept), kept, typed)
})

/** Addresses that a place's name follows. */
const ADDRESSES = [
  ['Mayor 45', 'Mayor'],
  ['Mayor45', 'Mayor'],
  ['45 Calle Mayor', 'Calle Mayor'],
  ['Alcalá 120 2ºB', 'Alcalá'],
  ['Aragó 3 bis, portal 2', 'Aragó'],
] as const

numbers('every name of the gazetteer stays, alone, beside its container and after a street', () => {
  const { entries } = getGazetteer()
  let count = 0
  for (const entry of entries)
    for (const form of entry.kind === 'country' ? [] : entry.forms.map((form) => form.replace('~', ''))) {
      const container = entry.parent >= 0 ? containerName(entries, entry) : ''
      for (const name of [form, toZoneText(form)]) {
        for (const zone of [name, `${name}, ${container}`, `Barrio Alto, ${name}`, `Distrito 22, ${name}`])
          assert.is(withoutStreetNumber(zone), zone)
        const tidied = name.replace(/\s*,\s*/g, ', ')
        for (const [typed, street] of ADDRESSES)
          assert.is(withoutStreetNumber(`${typed}, ${name}`), `${street}, ${tidied}`)
        assert.is(withoutStreetNumber(`Calle Mayor 3, ${name}`), `Calle Mayor, ${tidied}`)
        assert.is(withoutStreetNumber(`Calle Mayor, 3, ${name}`), `Calle Mayor, ${tidied}`)
        count++
      }
    }
  assert.ok(count > gazetteer.places.length * 2, String(count))
})

numbers('every name of the gazetteer is a zone, in the spelling of before or the nearest that is allowed', () => {
  const { entries } = getGazetteer()
  const forms = entries.flatMap(({ kind, forms }) =>
    kind === 'country' ? [] : forms.map((form) => form.replace('~', '')),
  )
  const signed = forms.filter((form) => /[^\p{L}\p{M}\d\s,-]/u.test(form))
  assert.ok(signed.length > 250, String(signed.length))
  for (const form of signed)
    for (const typed of [form, form.replaceAll("'", '’'), `${form}.`]) {
      const { zone } = dogSchema.parse({ zone: typed })
      const [was, is] = [findPlace(form), findPlace(zone ?? '')]
      // A town of two names is found where typed with a slash it was not.
      assert.ok(is && Math.hypot(is.lon - (was ?? is).lon, is.lat - (was ?? is).lat) < 0.1, `${typed}: ${zone}`)
    }
})

numbers('no spelling of a place loses anything', () => {
  for (const [text] of PLACE_SPELLINGS) assert.is(withoutStreetNumber(text), text)
})

numbers('every number of a street is removed, in every notation', () => {
  const streets = [
    'Calle de Alcalá',
    'Avenida de América',
    'Plaza Mayor',
    'Paseo del Prado',
    'Gran Vía',
    'Carrer de Mallorca',
    'Alcalá',
    'Sant Joan',
    'Real de la Feria',
  ]
  const doors = [
    '1',
    '45',
    '120',
    '1024',
    '3B',
    '3 B',
    '12-14',
    '12 bis',
    '7 dup',
    '3 y 5',
    '3 2º B',
    '3, 2º izq',
    '3, esc 2, 4 D',
  ]
  const marks = [' ', ', ', ',', ' nº ', ' n.º ', ' núm. ', ', número ', ' - ', ' n ', ', portal ']
  for (const street of streets)
    for (const mark of marks)
      for (const door of doors) {
        const typed = `${street}${mark}${door}`
        assert.is(withoutStreetNumber(typed), street, typed)
        assert.is(withoutStreetNumber(`${typed}, Madrid`), `${street}, Madrid`, typed)
        assert.is(withoutStreetNumber(`${typed}, 28013 Madrid`), `${street}, 28013 Madrid`, typed)
      }
})

numbers('a dog’s input is cleaned, complete or as a patch, and its removed characters are not refused', () => {
  const cases: [string, string | null][] = [
    ['Calle de Alcalá, 45, Madrid', 'Calle de Alcalá, Madrid'],
    ['Calle Mayor núm. 12', 'Calle Mayor'],
    ['Calle Mayor nº 3 s/n', 'Calle Mayor'],
    ['Distrito 22', 'Distrito 22'],
    [', 3', null],
  ]
  for (const [zone, kept] of cases) {
    assert.is(dogSchema.parse({ zone }).zone, kept, zone)
    assert.is(dogPatchSchema.parse({ zone }).zone, kept, zone)
  }
})
