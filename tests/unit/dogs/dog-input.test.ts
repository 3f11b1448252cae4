import { EMPTY_DOG } from '#features/dogs/write/dog-fields.ts'
import { dogPatchSchema, dogSchema } from '#features/dogs/write/dog-input.ts'
import { assert, suite } from '#tests/support/suites.ts'

const input = suite('unit/dogs/dog-input')

/** What becomes of one field in a whole form. */
function read(field: string, value: unknown) {
  const result = dogSchema.safeParse({ [field]: value })
  if (result.success) return result.data[field as keyof typeof result.data]
  const issue = result.error.issues[0]!
  assert.equal(issue.path, [field])
  return issue.message
}

const table = (field: string, cases: [unknown, unknown][]) => {
  for (const [value, wanted] of cases) {
    assert.equal(read(field, value), wanted, `${field}: ${String(value).slice(0, 80)}`)
    const alone = dogPatchSchema.safeParse({ [field]: value })
    const got = alone.success ? alone.data[field as 'name'] : alone.error.issues[0]!.message
    assert.equal(got, wanted, `PATCH ${field}: ${String(value).slice(0, 80)}`)
  }
}

const NAME = 'Nombre no válido. Solo se permiten letras, números, espacios y guiones.'
const NAME_LONG = 'El nombre no puede tener más de 50 caracteres.'
const BREED = 'Raza no válida. Solo se permiten letras, números, espacios y guiones.'
const ZONE = 'Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.'
const WEIGHT = 'El peso debe ser un número positivo.'
const FILLED = 'Peso debe ser un número positivo.'
const WEIGHT_NOTATION = 'Escribe el peso solo con cifras y, si hace falta, una coma: por ejemplo, 22,5.'
const WEIGHT_MAX = 'El peso no puede pasar de 250 kg.'
const AGE = 'Edad debe ser un número entero positivo.'
const AGE_MAX = 'La edad no puede pasar de 30 años.'
const TEXT = 'El texto no es válido.'
const LONG = 'El texto es demasiado largo.'

input('name: optional, letters, numbers, spaces and hyphens, 50 characters', () => {
  table('name', [
    ['Toby', 'Toby'],
    ['  Toby   2 ', 'Toby 2'],
    ['Ñusta-María Pingüino', 'Ñusta-María Pingüino'],
    ['', '???'],
    ['   ', '???'],
    ['???', '???'],
    [null, '???'],
    ['\u0301\u0308', '???'],
    ['\u200B \u2060', '???'],
    ['\u200FToby\u202E', 'Toby'],
    ["D'Artagnan", 'D Artagnan'],
    ['Toby.', 'Toby'],
    ['Sr. Lobo', 'Sr Lobo'],
    ['...', NAME],
    ['¿Toby?', NAME],
    ['Toby, el bueno', NAME],
    ['<b>Toby</b>', NAME],
    ['Toby 🐶', NAME],
    ['ñ'.repeat(50), 'ñ'.repeat(50)],
    ['ñ'.normalize('NFD').repeat(50), 'ñ'.repeat(50)],
    ['a'.repeat(51), NAME_LONG],
    ['a'.repeat(20_000), LONG],
    [7, TEXT],
    [{ a: 1 }, TEXT],
    [['Toby'], TEXT],
    [new Blob(['x']), TEXT],
  ])
})

input('breed: Mestizo by default; no punctuation but hyphens', () => {
  table('breed', [
    ['Pastor alemán', 'Pastor alemán'],
    ['', 'Mestizo'],
    [null, 'Mestizo'],
    ['Podenco-galgo 50', 'Podenco-galgo 50'],
    ["Gos d'atura", 'Gos d atura'],
    ['Galgo/Podenco', BREED],
    ['Galgo, podenco', BREED],
    ['Perro (grande)', BREED],
    ['<script>', BREED],
    ['a'.repeat(101), 'La raza no puede tener más de 100 caracteres.'],
  ])
})

input('zone: commas too, 100 characters', () => {
  table('zone', [
    ['Getafe, Madrid', 'Getafe, Madrid'],
    ['Sant Cugat del Vallès', 'Sant Cugat del Vallès'],
    ['', null],
    [null, null],
    ['C/ Mayor 3', 'Calle Mayor'],
    ["L'Hospitalet", 'L Hospitalet'],
    ["Sant Sadurní d'Anoia", 'Sant Sadurní d Anoia'],
    ['Alacant/Alicante', 'Alacant-Alicante'],
    ['Sta. Cruz', 'Santa Cruz'],
    ['Palma (Mallorca)', 'Palma, Mallorca'],
    ['Madrid.', 'Madrid'],
    ['Мадрид', ZONE],
    ['Cádiz;', ZONE],
    ['a'.repeat(100), 'a'.repeat(100)],
    ['a'.repeat(101), ZONE],
    ['Madrid\nCentro', 'Madrid Centro'],
  ])
})

input('weight: a positive number, to 0.1 kg, with point or comma', () => {
  table('weight', [
    ['12', 12],
    ['12.5', 12.5],
    ['12,5', 12.5],
    [7.25, 7.3],
    ['0.1', 0.1],
    ['', null],
    [null, null],
    ['0', WEIGHT],
    ['0,0', WEIGHT],
    ['-3', WEIGHT],
    [-3, WEIGHT],
    ['abc', WEIGHT],
    ['12kg', 12],
    ['22,5 kg', 22.5],
    ['22.5 Kg.', 22.5],
    ['3 kilos', 3],
    ['1 kilogramo', 1],
    ['0 kg', WEIGHT],
    ['-3 kg', WEIGHT],
    ['kg', WEIGHT],
    ['251 kg', WEIGHT_MAX],
    ['1e1 kg', WEIGHT_NOTATION],
    ['1,2,3 kg', WEIGHT_NOTATION],
    ['.5', 0.5],
    [',5', 0.5],
    ['12,', 12],
    // One separator is the decimal sign, whatever follows it.
    ['1.000', 1],
    ['22.500', 22.5],
    // Positive numbers, so the specified sentence would not be true of them.
    ['1e1', WEIGHT_NOTATION],
    ['1e3', WEIGHT_NOTATION],
    ['+12', WEIGHT_NOTATION],
    ['0x10', WEIGHT_NOTATION],
    ['1.000,5', WEIGHT_NOTATION],
    ['1,000.5', WEIGHT_NOTATION],
    ['1.000.000', WEIGHT_NOTATION],
    ['1,2,3', WEIGHT_NOTATION],
    ['5 o 6', WEIGHT_NOTATION],
    ['12 g', WEIGHT_NOTATION],
    ['-1e1', WEIGHT],
    ['0e5', WEIGHT],
    [1e1, 10],
    [1e21, WEIGHT_MAX],
    [5e-7, FILLED],
    [Number.NaN, WEIGHT],
    [Number.POSITIVE_INFINITY, WEIGHT],
    ['.', WEIGHT],
    [',', WEIGHT],
    ['0.04', FILLED],
    ['200', 200],
    ['250.1', WEIGHT_MAX],
    ['9'.repeat(400), WEIGHT_MAX],
    [true, TEXT],
  ])
})

input('age: a positive integer that prints back identically', () => {
  table('age', [
    ['3', 3],
    [3, 3],
    [' 3 ', 3],
    ['', null],
    [null, null],
    ['0', AGE],
    ['-1', AGE],
    ['3.5', AGE],
    [3.5, AGE],
    ['3,5', AGE],
    ['.5', AGE],
    [',5', AGE],
    ['3 años', AGE],
    ['٣', AGE],
    // Positive integers that do not print back: the specified sentence would not be true of them.
    ['03', AGE],
    ['+3', AGE],
    ['1e1', AGE],
    ['0x3', AGE],
    ['3,0', AGE],
    ['1.000', AGE],
    [1e1, 10],
    ['99999999999999999999', AGE_MAX],
    ['361', AGE_MAX],
  ])
})

input('age: years or months, years by default, with a maximum', () => {
  const read = (age: unknown, age_unit?: unknown) => {
    const result = dogSchema.safeParse({ age, age_unit })
    return result.success ? [result.data.age, result.data.age_unit] : result.error.issues[0]!.message
  }
  assert.equal(read('3'), [3, 'años'])
  assert.equal(read('3', ''), [3, 'años'])
  assert.equal(read('3', 'meses'), [3, 'meses'])
  assert.equal(read('3', 'Años'), [3, 'años'])
  assert.equal(read('3', 'anos'), [3, 'años'])
  assert.equal(read('', 'meses'), [null, null])
  assert.is(read('3', 'lustros'), 'La unidad de la edad debe ser meses o años.')
  assert.equal(read('30', 'años'), [30, 'años'])
  assert.is(read('31', 'años'), AGE_MAX)
  assert.is(read('31'), AGE_MAX)
  assert.equal(read('21', 'meses'), [21, 'meses'])
  assert.equal(read('360', 'meses'), [360, 'meses'])
  assert.is(read('361', 'meses'), AGE_MAX)
})

input('size, adopted and relationship', () => {
  table('size', [
    ['mini', 'mini'],
    [' Pequeño ', 'pequeño'],
    ['pequeno', 'pequeño'],
    ['GRANDE', 'grande'],
    ['', null],
    [null, null],
    ['enorme', 'Tamaño no válido.'],
  ])
  table('is_adopted', [
    [true, true],
    ['true', true],
    ['on', true],
    ['1', true],
    [1, true],
    [false, false],
    ['false', false],
    ['', false],
    [null, false],
    ['quizá', 'Valor no válido en «Adoptado».'],
  ])
  table('relationship', [
    ['owner', 'owner'],
    ['discoverer', 'discoverer'],
    ['', 'owner'],
    ['vecino', 'Elige si eres su dueño o su descubridor.'],
  ])
})

input('description: trimmed, without < and >, 1000 graphemes', () => {
  table('description', [
    ['  Muy <b>bueno</b>. ', 'Muy bbueno/b.'],
    ['Dos\nlíneas', 'Dos\nlíneas'],
    ['', null],
    ['<>', null],
    ['🇪🇸'.repeat(1001), '🇪🇸'.repeat(1000)],
    ['a'.repeat(1500), 'a'.repeat(1000)],
    ['a'.repeat(16 * 1024 + 1), LONG],
    ['Dos\r\nlíneas\rmás\u2028otra', 'Dos\nlíneas\nmás\notra'],
    ['nulo\0oculto', 'nulooculto'],
    ['medio \ud83d emoji', 'medio \ufffd emoji'],
  ])
})

input('an empty form is a nameless mestizo; every invalid field is reported', () => {
  assert.equal(dogSchema.parse({}), {
    ...EMPTY_DOG,
    name: '???',
    breed: 'Mestizo',
    age: null,
    age_unit: null,
    weight: null,
    size: null,
    zone: null,
    is_adopted: false,
    relationship: 'owner',
  })
  const { error } = dogSchema.safeParse({ name: 'a,b', weight: '-1', age: '0', zone: '#' })
  assert.equal(
    error!.issues.map((issue) => [issue.path.join('.'), issue.message]),
    [
      ['name', NAME],
      ['age', AGE],
      ['weight', WEIGHT],
      ['zone', ZONE],
    ],
  )
})

input('an age beyond the limit is reported with every other invalid field', () => {
  const { error } = dogSchema.safeParse({ name: 'a,b', weight: '1e1', age: '31', age_unit: 'años' })
  assert.equal(error!.issues.map((issue) => [issue.path.join('.'), issue.message]).toSorted(), [
    ['age', AGE_MAX],
    ['name', NAME],
    ['weight', WEIGHT_NOTATION],
  ])
  const months = dogSchema.safeParse({ name: 'a,b', age: '21', age_unit: 'meses' })
  assert.equal(months.error!.issues.length, 1)
})

input('a patch contains only the sent fields, and no other columns', () => {
  assert.equal(dogPatchSchema.parse({}), {})
  assert.equal(dogPatchSchema.parse({ weight: 3, votes: 99, owner_id: 'x', id: 'y' }), { weight: 3 })
  for (const value of [null, [], 'x', 3]) assert.not.ok(dogPatchSchema.safeParse(value).success)
})

input.run()
