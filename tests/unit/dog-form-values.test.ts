import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { splitMatch } from '#features/dogs/form/breedMatch.ts'
import type { Photo } from '#features/dogs/form/gallery.ts'
import { errorRow, savedText, skippedText } from '#features/dogs/form/outcome.ts'
import { fieldErrors, firstWrong, validate } from '#features/dogs/form/validate.ts'
import { changesOf, EMPTY, isTouched, storedBreed, valuesOf, wireOf } from '#features/dogs/form/values.ts'
import type { Dog } from '#features/dogs/dogs.ts'

const form = suite('the form’s values')

const ready: Photo = {
  id: 'p',
  name: 'p.jpg',
  alt: '',
  src: '',
  state: 'ready',
  progress: 1,
  file: new File(['x'], 'p.jpg'),
}
const wrong = (change: Partial<typeof EMPTY>) => validate({ ...EMPTY, ...change }, [ready])

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
  assert.is(storedBreed({ ...EMPTY, breed: 'Mestizo', mix: '  labrador y galgo ' }), 'labrador y galgo')
  assert.is(storedBreed({ ...EMPTY, breed: 'Mestizo', mix: ' ' }), 'Mestizo')
  assert.is(storedBreed({ ...EMPTY, breed: 'Beagle', mix: 'left over' }), 'Beagle')
})

form('shows a stored dog, its unlisted breed as a mix', () => {
  const values = valuesOf(dog, 'luis', (name) => name === 'Beagle')
  assert.equal(values, {
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
  assert.is(valuesOf(dog, 'ana', () => true).relationship, 'owner')
  assert.is(valuesOf(dog, 'ana', () => true).breed, 'Labrador y galgo')
})

form('sends only what changed', () => {
  const before = valuesOf(dog, 'ana', () => false)
  assert.equal(changesOf(before, before), {})
  assert.equal(changesOf({ ...before, name: 'Toby', is_adopted: false }, before), { name: 'Toby', is_adopted: 'false' })
  assert.equal(changesOf({ ...before, mix: '' }, before), { breed: 'Mestizo' })
  assert.is('mix' in wireOf(before), false)
})

form('knows an untouched form', () => {
  assert.not(isTouched(EMPTY))
  assert.ok(isTouched({ ...EMPTY, is_adopted: true }))
})

form('has a sentence for each wrong field, to the letter', () => {
  assert.is(validate(EMPTY, []).images, 'Por favor, sube al menos una imagen del perro.')
  assert.is(validate(EMPTY, [{ ...ready, state: 'failed' }]).images, 'Por favor, sube al menos una imagen del perro.')
  assert.equal(wrong({}), {})
  assert.is(wrong({ weight: '-12' }).weight, 'El peso debe ser un número positivo.')
  assert.is(wrong({ weight: '0' }).weight, 'El peso debe ser un número positivo.')
  assert.is(wrong({ age: '2.5' }).age, 'Edad debe ser un número entero positivo.')
  assert.is(wrong({ age: '0' }).age, 'Edad debe ser un número entero positivo.')
  assert.is(wrong({ age: '03' }).age, 'Escribe la edad solo con cifras: por ejemplo, 3.')
  assert.is(wrong({ age: '21' }).age, 'La edad no puede pasar de 20 años.')
  assert.is(wrong({ age: '241', age_unit: 'meses' }).age, 'La edad no puede pasar de 20 años.')
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

form('does not refuse an age that was stored under another limit', () => {
  const before = { ...EMPTY, age: '25' }
  assert.equal(validate({ ...before, name: 'Toby' }, [ready], before), {})
  assert.is(validate({ ...before, age: '26' }, [ready], before).age, 'La edad no puede pasar de 20 años.')
  assert.is(validate(before, [ready]).age, 'La edad no puede pasar de 20 años.')
})

form('puts the server’s errors at their fields and finds the first', () => {
  const errors = fieldErrors({ zone: 'z', 'images.2': 'i', age_unit: 'u', body: 'b' })
  assert.equal(errors, { zone: 'z', images: 'i', age: 'u' })
  assert.is(firstWrong(errors), 'images')
  assert.equal(fieldErrors({ 'alts.2': 'a' }), { images: 'a' })
  assert.is(firstWrong({ zone: 'z', weight: 'w' }), 'weight')
  assert.is(firstWrong({ form: 'f' }), undefined)
})

form('names what failed as the specification does', () => {
  const refused = { kind: 'refused', status: 500, message: 'sin espacio' } as const
  assert.is(errorRow('add', refused), 'Error guardando el perro: sin espacio')
  assert.is(errorRow('edit', refused), 'Error guardando los cambios: sin espacio')
  assert.is(errorRow('edit', { ...refused, status: 401 }), 'Error: Usuario no autenticado')
  assert.is(errorRow('add', { kind: 'broken', message: '' }), 'Error inesperado: Error desconocido')
  assert.is(errorRow('add', { kind: 'broken', message: 'se cortó' }), 'Error inesperado: se cortó')
  assert.is(savedText('edit', false), 'Cambios guardados')
  assert.is(skippedText(1), 'Una foto no se ha podido guardar.')
})

form('marks what was typed in a breed, accents and case aside', () => {
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

form.run()
