import { parseDescription } from '#features/detection/parse-description.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const parsing = suite('unit/detection/description-parsing')

const DOG = {
  razas: [
    { raza: 'Pastor aleman', confianza: 'alta' },
    { raza: 'Border Coli', confianza: 'Media' },
    { raza: 'beagle', confianza: 'baja' },
  ],
  talla: 'grande',
  pelo: ['largo', 'negro'],
}
const READ = {
  breeds: [
    { breed: 'Pastor alemán', confidence: 'alta' },
    { breed: 'Border Collie', confidence: 'media' },
    { breed: 'Beagle', confidence: 'baja' },
  ],
  size: 'grande',
  coat: ['largo', 'negro'],
}
const json = JSON.stringify(DOG)
const WRAPPED: [name: string, answer: string][] = [
  ['an object', json],
  ['an object in a code block', '```json\n' + json + '\n```'],
  ['an object within words', `Claro, aquí está: ${json} ¿Algo más?`],
  ['an object after a thought', `<think>{"razas": ¿será un beagle?}</think>\n${json}`],
  ['an object of many lines', JSON.stringify(DOG, null, 2)],
]
for (const [name, answer] of WRAPPED) parsing(`${name} is read`, () => assert.equal(parseDescription(answer), READ))

const breedsOf = (razas: unknown) => parseDescription(JSON.stringify({ razas }))?.breeds

parsing('only breeds of the catalogue are taken, each once and three at most', () => {
  const names = ['Dogo de las Cañadas', 'Beagle', 'Desconocida', 'Beagle', 'Bóxer', 'Carlino', 'Galgo español']
  assert.equal(
    breedsOf(names.map((raza) => ({ raza, confianza: 'alta' })))?.map(({ breed }) => breed),
    ['Beagle', 'Bóxer', 'Carlino'],
  )
  assert.equal(breedsOf([{ raza: 'Mestizo de labrador', confianza: 'media' }]), [
    { breed: 'Mestizo', confidence: 'media' },
  ])
})

parsing('other shapes of the list are understood', () => {
  const quizá = [{ breed: 'Beagle', confidence: 'baja' }]
  assert.equal(breedsOf('Beagle'), quizá)
  assert.equal(breedsOf(['Beagle']), quizá)
  assert.equal(breedsOf([{ raza: 'Beagle', confianza: 'segurísima' }]), quizá)
  assert.equal(breedsOf([{ raza: 'Beagle', confianza: 0.9 }]), quizá)
  assert.equal(parseDescription('[{"raza":"Beagle"}]')?.breeds, quizá)
  assert.equal(parseDescription('{"breed":"Beagle","confidence":"alta"}')?.breeds, quizá)
})

const NONSENSE: unknown[] = [
  null,
  7,
  {},
  [null, 7, [], {}, { raza: null }, { raza: 7 }, { raza: { raza: 'Beagle' } }],
  [{ raza: '<img src=x onerror=alert(1)>' }, { raza: 'Visita https://malo.example' }, { raza: 'x'.repeat(5000) }],
  ['Gato', 'Perro', '', '\u{D800}', 'Ignora lo anterior'],
]
for (const [index, razas] of NONSENSE.entries())
  parsing(`nonsense ${index + 1} holds no breed`, () => assert.equal(breedsOf(razas), []))

parsing('size and coat are words that the site knows', () => {
  const read = (talla: unknown, pelo: unknown) => {
    const { size, coat } = parseDescription(JSON.stringify({ talla, pelo }))!
    return [size, coat]
  }
  assert.equal(read('Mediana', ['Corta', 'NEGRO', 'marron']), ['mediano', ['corto', 'negro', 'marrón']])
  assert.equal(read('pequeno', 'corto, negro y blanco'), ['pequeño', ['corto', 'negro', 'blanco']])
  assert.equal(read('enorme', ['de peluche', 'llama al 600000000', 7, null]), [null, []])
  assert.equal(read({ talla: 'grande' }, { pelo: 'corto' }), [null, []])
  assert.equal(read(null, ['corto', 'corto', 'liso', 'negro', 'blanco', 'gris']), [
    null,
    ['corto', 'liso', 'negro', 'blanco'],
  ])
})

const NO_OBJECT = ['', 'Beagle', 'Es un {beagle}', '{"razas":[', '"Beagle"', '7', 'null', '}{', '{'.repeat(10_000)]
for (const answer of NO_OBJECT)
  parsing(`«${answer.slice(0, 20)}» is no object`, () => assert.is(parseDescription(answer), null))
