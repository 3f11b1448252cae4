import * as fc from 'fast-check'
import { dogFieldErrors } from '#features/dogs/write/dog-fields.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { splitMatch } from '#features/dogs/form/fields/split-match.ts'
import type { Photo } from '#features/dogs/form/photos/gallery.ts'
import { saveErrorText, savedText, skippedText } from '#features/dogs/form/save/save-outcome.ts'
import {
  clearErrors,
  fieldErrors,
  fieldToFocus,
  firstInvalidField,
  typingErrors,
  validate,
} from '#features/dogs/form/validate.ts'
import {
  changedValues,
  EMPTY_VALUES,
  isTouched,
  storedBreed,
  toFormValues,
  toWireValues,
} from '#features/dogs/form/form-values.ts'
import { assert, type Dog, suite } from '#tests/support/suites.ts'

const form = suite('unit/dogs/form/values')

const ready: Photo = {
  id: 'p',
  name: 'p.jpg',
  alt: '',
  src: '',
  state: 'ready',
  file: new File(['x'], 'p.jpg'),
}
const wrong = (change: Partial<typeof EMPTY_VALUES>) => validate({ ...EMPTY_VALUES, ...change }, [ready])

const dog = {
  name: '???',
  breed: 'Labrador y galgo',
  age: 4,
  age_unit: 'meses',
  weight: 12.5,
  zone: null,
  is_adopted: true,
  description: 'Duerme.',
  size: 'mediano',
  owner_id: 'ana',
  discoverer_id: 'luis',
} as Dog

form('stores the mix of a mestizo, or Mestizo', () => {
  assert.is(storedBreed({ ...EMPTY_VALUES, breed: 'Mestizo', mix: '  labrador y galgo ' }), 'labrador y galgo')
  assert.is(storedBreed({ ...EMPTY_VALUES, breed: 'Mestizo', mix: ' ' }), 'Mestizo')
  assert.is(storedBreed({ ...EMPTY_VALUES, breed: 'Beagle', mix: 'left over' }), 'Beagle')
})

form('shows a stored dog, with its unlisted breed as a mix', () => {
  const values = toFormValues(dog, 'luis', (name) => name === 'Beagle')
  assert.equal(values, {
    ...EMPTY_VALUES,
    name: '',
    breed: 'Mestizo',
    mix: 'Labrador y galgo',
    age: '4',
    age_unit: 'meses',
    weight: '12,5',
    size: 'mediano',
    zone: '',
    description: 'Duerme.',
    relationship: 'discoverer',
    is_adopted: true,
  })
  assert.is(toFormValues(dog, 'ana', () => true).relationship, 'owner')
  assert.is(toFormValues(dog, 'ana', () => true).breed, 'Labrador y galgo')
})

form('sends only what changed', () => {
  const before = toFormValues(dog, 'ana', () => false)
  assert.equal(changedValues(before, before), {})
  assert.equal(changedValues({ ...before, name: 'Toby', is_adopted: false }, before), {
    name: 'Toby',
    is_adopted: 'false',
  })
  assert.equal(changedValues({ ...before, mix: '' }, before), { breed: 'Mestizo' })
  assert.is('mix' in toWireValues(before), false)
})

form('detects an untouched form', () => {
  assert.not(isTouched(EMPTY_VALUES))
  assert.ok(isTouched({ ...EMPTY_VALUES, is_adopted: true }))
})

form('has the specified message for each invalid field', () => {
  assert.is(validate(EMPTY_VALUES, []).images, 'Por favor, sube al menos una imagen del perro.')
  assert.is(
    validate(EMPTY_VALUES, [{ ...ready, state: 'failed' }]).images,
    'Por favor, sube al menos una imagen del perro.',
  )
  assert.equal(wrong({}), {})
  assert.is(wrong({ weight: '-12' }).weight, 'El peso debe ser un número positivo.')
  assert.is(wrong({ weight: '0' }).weight, 'El peso debe ser un número positivo.')
  assert.is(wrong({ weight: 'mucho' }).weight, 'El peso debe ser un número positivo.')
  const notation = 'Escribe el peso solo con cifras y, si hace falta, una coma: por ejemplo, 22,5.'
  for (const weight of ['1e', '1,2,3']) assert.is(wrong({ weight }).weight, notation)
  assert.is(wrong({ weight: '22,5 kg' }).weight, undefined)
  assert.is(wrong({ age: '2.5' }).age, 'Edad debe ser un número entero positivo.')
  assert.is(wrong({ age: '0' }).age, 'Edad debe ser un número entero positivo.')
  assert.is(wrong({ age: '03' }).age, 'Edad debe ser un número entero positivo.')
  assert.is(wrong({ age: '21' }).age, 'La edad no puede pasar de 20 años.')
  assert.is(wrong({ age: '360', age_unit: 'meses' }).age, undefined)
  assert.is(wrong({ age: '361', age_unit: 'meses' }).age, 'La edad no puede pasar de 30 años.')
  assert.is(
    wrong({ zone: 'Madrid!' }).zone,
    'Zona no válida. Solo se permiten letras, números, espacios, guiones y comas.',
  )
  assert.is(
    wrong({ breed: 'Mestizo', mix: 'labrador & galgo' }).breed,
    'Raza no válida. Solo se permiten letras, números, espacios y guiones.',
  )
  assert.is(
    wrong({ name: 'Toby, el perro' }).name,
    'Nombre no válido. Solo se permiten letras, números, espacios y guiones.',
  )
})

form('refuses what the server refuses, with its message', () => {
  const texts: Record<string, string[]> = {
    name: ['', '???', ' Toby ', 'Toby, el perro', 'a'.repeat(51), 'a'.repeat(17_000), '\u200b', 'Íñigo 2'],
    breed: ['', 'Beagle', 'labrador & galgo', 'a'.repeat(101)],
    age: ['', '3', '03', '2.5', '0', '-1', '30', '31', '360', '361', '1e1', 'tres'],
    age_unit: ['', 'años', 'meses', 'MESES', 'siglos'],
    weight: ['', '22,5', '0', '0,01', '-12', '1e3', '250', '251', '0x10', '22,5 kg', '1,2,3', 'mucho'],
    size: ['', 'pe queño', 'enorme'],
    zone: ['', 'Jaca, 12', 'Madrid!', 'a'.repeat(101)],
    is_adopted: ['true', 'sí', 'quizá'],
    description: ['', 'Ladra.', 'a'.repeat(17_000)],
    relationship: ['', 'owner', 'vecino'],
  }
  const sentTexts = fc.record(
    Object.fromEntries(Object.entries(texts).map(([name, list]) => [name, fc.constantFrom(...list)])),
    { requiredKeys: [] },
  )
  const serverErrors = (sent: Readonly<Record<string, string | undefined>>) => {
    const errors: Record<string, string> = {}
    for (const { path, message } of dogSchema.safeParse(sent).error?.issues ?? []) errors[String(path[0])] ??= message
    return errors
  }
  fc.assert(
    fc.property(sentTexts, (sent) => assert.equal(dogFieldErrors(sent), serverErrors(sent))),
    { numRuns: 500 },
  )
})

form('says while a number is typed what no further key puts right', () => {
  const typed = (change: Partial<typeof EMPTY_VALUES>) =>
    typingErrors(Object.keys(change), { ...EMPTY_VALUES, ...change })
  for (const [age, weight] of [
    ['', ''],
    ['0', '0,'],
    ['3', ',5'],
    ['20', '22,5 k'],
    ['12', '250'],
  ] as const)
    assert.equal(typed({ age, weight }), {}, `${age} ${weight}`)
  assert.equal(typed({ age: '21', weight: '251' }), {
    age: 'La edad no puede pasar de 20 años.',
    weight: 'El peso no puede pasar de 250 kg.',
  })
  assert.equal(typed({ age: '-', weight: '-1' }), {
    age: 'Edad debe ser un número entero positivo.',
    weight: 'El peso debe ser un número positivo.',
  })
  assert.equal(typingErrors(['name'], { ...EMPTY_VALUES, age: '21' }), {})
})

form('accepts a stored age above the present limit', () => {
  const before = { ...EMPTY_VALUES, age: '25' }
  assert.equal(validate({ ...before, name: 'Toby' }, [ready], before), {})
  assert.is(validate({ ...before, age: '26' }, [ready], before).age, 'La edad no puede pasar de 20 años.')
  assert.is(validate(before, [ready]).age, 'La edad no puede pasar de 20 años.')
})

form('shows the server’s errors at their fields and finds the first', () => {
  const errors = fieldErrors({ zone: 'z', 'images.2': 'i', age_unit: 'u', body: 'b' })
  assert.equal(errors, { zone: 'z', images: 'i', age: 'u' })
  assert.is(firstInvalidField(errors), 'images')
  assert.equal(fieldErrors({ 'alts.2': 'a' }), { images: 'a' })
  assert.is(firstInvalidField({ zone: 'z', weight: 'w' }), 'weight')
  assert.is(firstInvalidField({ form: 'f' }), undefined)
})

form('names the failed action as specified', () => {
  const refused = { kind: 'refused', status: 500, message: 'sin espacio' } as const
  assert.is(saveErrorText('add', refused), 'Error guardando el perro: sin espacio')
  assert.is(saveErrorText('edit', refused), 'Error guardando los cambios: sin espacio')
  // An answer that is no JSON has no sentence.
  assert.is(saveErrorText('add', { ...refused, message: '' }), 'Error inesperado: Error desconocido')
  assert.is(saveErrorText('edit', { ...refused, status: 401 }), 'Error: Usuario no autenticado')
  assert.is(saveErrorText('add', { kind: 'broken', message: '' }), 'Error inesperado: Error desconocido')
  assert.is(saveErrorText('add', { kind: 'broken', message: 'se cortó' }), 'Error inesperado: se cortó')
  assert.is(savedText('edit', false), 'Cambios guardados')
  assert.is(skippedText(1), 'Una foto no se ha podido guardar.')
})

form('highlights the typed text in a breed, ignoring accents and case', () => {
  assert.equal(splitMatch('Pastor Alemán', 'aleman'), ['Pastor ', 'Alemán', ''])
  assert.equal(splitMatch('Pastor Alemán', 'ALEMÁ'), ['Pastor ', 'Alemá', 'n'])
  assert.equal(splitMatch('Perro de agua español', 'español'), ['Perro de agua ', 'español', ''])
  assert.equal(
    splitMatch('Perro de agua español'.normalize('NFD'), 'n')?.join(''),
    'Perro de agua español'.normalize('NFD'),
  )
  assert.equal(splitMatch('Galgo afgano', 'ga'), ['', 'Ga', 'lgo afgano'])
  assert.equal(splitMatch('Afgano galgo', 'ga'), ['Afgano ', 'ga', 'lgo'])
  assert.is(splitMatch('Beagle', 'z'), null)
  assert.is(splitMatch('Beagle', '  '), null)
})

form('clears the errors of changed fields', () => {
  const errors = { breed: 'raza', age: 'edad', images: 'fotos', form: 'todo' }
  assert.equal(clearErrors(errors, ['mix', 'age_unit']), { images: 'fotos', form: 'todo' })
  assert.equal(clearErrors(errors, ['images']), { breed: 'raza', age: 'edad', form: 'todo' })
  assert.equal(clearErrors(errors, ['zone']), errors)
})

form('moves the focus to the first invalid field, and to the mix of a mestizo', () => {
  assert.is(fieldToFocus({ zone: 'zona', breed: 'raza' }, { breed: 'Beagle' }), 'breed')
  assert.is(fieldToFocus({ breed: 'raza' }, { breed: 'Mestizo' }), 'mix')
  assert.is(fieldToFocus({ form: 'todo' }, { breed: '' }), undefined)
})
