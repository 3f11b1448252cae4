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

/** What a field's values are read as, or the sentence that refuses them, in a whole form and alone in a PATCH. */
const table = (field: string, cases: [wanted: unknown, ...values: unknown[]][]) => {
  for (const [wanted, ...values] of cases)
    for (const value of values) {
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
    ['Toby', 'Toby', '\u200FToby\u202E', 'Toby.'],
    ['Toby 2', '  Toby   2 '],
    ['Ñusta-María Pingüino', 'Ñusta-María Pingüino'],
    ['???', '', '   ', '???', null, '\u0301\u0308', '\u200B \u2060'],
    ['D Artagnan', "D'Artagnan"],
    ['Sr Lobo', 'Sr. Lobo'],
    [NAME, '...', '¿Toby?', 'Toby, el bueno', '<b>Toby</b>', 'Toby 🐶'],
    ['ñ'.repeat(50), 'ñ'.repeat(50), 'ñ'.normalize('NFD').repeat(50)],
    [NAME_LONG, 'a'.repeat(51)],
    [LONG, 'a'.repeat(20_000)],
    [TEXT, 7, { a: 1 }, ['Toby'], new Blob(['x'])],
  ])
})

input('breed: Mestizo by default; no punctuation but hyphens', () => {
  table('breed', [
    ['Pastor alemán', 'Pastor alemán'],
    ['Mestizo', '', null],
    ['Podenco-galgo 50', 'Podenco-galgo 50'],
    ['Gos d atura', "Gos d'atura"],
    [BREED, 'Galgo/Podenco', 'Galgo, podenco', 'Perro (grande)', '<script>'],
    ['La raza no puede tener más de 100 caracteres.', 'a'.repeat(101)],
  ])
})

input('zone: commas too, 100 characters', () => {
  table('zone', [
    ['Getafe, Madrid', 'Getafe, Madrid'],
    ['Sant Cugat del Vallès', 'Sant Cugat del Vallès'],
    [null, '', null],
    ['Calle Mayor', 'C/ Mayor 3'],
    ['L Hospitalet', "L'Hospitalet"],
    ['Sant Sadurní d Anoia', "Sant Sadurní d'Anoia"],
    ['Alacant-Alicante', 'Alacant/Alicante'],
    ['Santa Cruz', 'Sta. Cruz'],
    ['Palma, Mallorca', 'Palma (Mallorca)'],
    ['Madrid', 'Madrid.'],
    [ZONE, 'Мадрид', 'Cádiz;', 'a'.repeat(101)],
    ['a'.repeat(100), 'a'.repeat(100)],
    ['Madrid Centro', 'Madrid\nCentro'],
  ])
})

input('weight: a positive number, to 0.1 kg, with point or comma', () => {
  table('weight', [
    [12, '12', '12kg', '12,'],
    [12.5, '12.5', '12,5'],
    [7.3, 7.25],
    [0.1, '0.1'],
    [null, '', null],
    [WEIGHT, '0', '0,0', '-3', -3, 'abc', '0 kg', '-3 kg', 'kg', '-1e1', '0e5', Number.NaN],
    [WEIGHT, Number.POSITIVE_INFINITY, '.', ','],
    // One separator is the decimal sign, whatever follows it.
    [22.5, '22,5 kg', '22.5 Kg.', '22.500'],
    [3, '3 kilos'],
    [1, '1 kilogramo', '1.000'],
    [WEIGHT_MAX, '251 kg', 1e21, '250.1', '9'.repeat(400)],
    // Positive numbers, so the sentence of `WEIGHT` would not be true of them.
    [WEIGHT_NOTATION, '1e1 kg', '1,2,3 kg', '1e1', '1e3', '+12', '0x10', '1.000,5', '1,000.5', '1.000.000'],
    [WEIGHT_NOTATION, '1,2,3', '5 o 6', '12 g'],
    [0.5, '.5', ',5'],
    [10, 1e1],
    [FILLED, 5e-7, '0.04'],
    [200, '200'],
    [TEXT, true],
  ])
})

input('age: a positive integer that prints back identically', () => {
  table('age', [
    [3, '3', 3, ' 3 '],
    [null, '', null],
    [AGE, '0', '-1', '3.5', 3.5, '3,5', '.5', ',5', '3 años', '٣', '03', '+3', '1e1', '0x3', '3,0', '1.000'],
    [10, 1e1],
    [AGE_MAX, '99999999999999999999', '361'],
  ])
})

input('age: years or months, years by default, with a maximum', () => {
  const read = (age: unknown, age_unit?: unknown) => {
    const result = dogSchema.safeParse({ age, age_unit })
    return result.success ? [result.data.age, result.data.age_unit] : result.error.issues[0]!.message
  }
  for (const unit of [undefined, '', 'Años', 'anos']) assert.equal(read('3', unit), [3, 'años'], unit)
  assert.equal(read('30', 'años'), [30, 'años'])
  for (const age of [3, 21, 360]) assert.equal(read(String(age), 'meses'), [age, 'meses'])
  assert.equal(read('', 'meses'), [null, null])
  assert.is(read('3', 'lustros'), 'La unidad de la edad debe ser meses o años.')
  for (const [age, unit] of [['31', 'años'], ['31'], ['361', 'meses']]) assert.is(read(age, unit), AGE_MAX)
})

input('size, adopted and relationship', () => {
  table('size', [
    ['mini', 'mini'],
    ['pequeño', ' Pequeño ', 'pequeno'],
    ['grande', 'GRANDE'],
    [null, '', null],
    ['Tamaño no válido.', 'enorme'],
  ])
  table('is_adopted', [
    [true, true, 'true', 'on', '1', 1],
    [false, false, 'false', '', null],
    ['Valor no válido en «Adoptado».', 'quizá'],
  ])
  table('relationship', [
    ['owner', 'owner', ''],
    ['discoverer', 'discoverer'],
    ['Elige si eres su dueño o su descubridor.', 'vecino'],
  ])
})

input('description: trimmed, without < and >, 1000 graphemes', () => {
  table('description', [
    ['Muy bbueno/b.', '  Muy <b>bueno</b>. '],
    ['Dos\nlíneas', 'Dos\nlíneas'],
    [null, '', '<>'],
    ['🇪🇸'.repeat(1000), '🇪🇸'.repeat(1001)],
    ['a'.repeat(1000), 'a'.repeat(1500)],
    [LONG, 'a'.repeat(16 * 1024 + 1)],
    ['Dos\nlíneas\nmás\notra', 'Dos\r\nlíneas\rmás\u2028otra'],
    ['nulooculto', 'nulo\0oculto'],
    ['medio \ufffd emoji', 'medio \ud83d emoji'],
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
  const found = error!.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  assert.equal(found, [`name: ${NAME}`, `age: ${AGE}`, `weight: ${WEIGHT}`, `zone: ${ZONE}`])
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
