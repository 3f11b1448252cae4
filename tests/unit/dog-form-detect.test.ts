import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hasChosen, isListed, outcomeOf, spoken } from '#features/dogs/form/detect.ts'

const detecting = suite('the form’s breed detection')
const NAMES = ['Beagle', 'Carlino']

detecting('no breed is a failure that can be tried again', () => {
  assert.equal(outcomeOf(null), { state: 'failed', message: 'No se pudo detectar la raza' })
  assert.equal(outcomeOf('Beagle'), { state: 'detected', breed: 'Beagle' })
})

detecting('the picker’s names and the mixed one can be chosen', () => {
  assert.ok(isListed('Beagle', NAMES))
  assert.ok(isListed('Mestizo', NAMES))
  assert.not.ok(isListed('beagle', NAMES))
  assert.not.ok(isListed('Dogo de las Cañadas', NAMES))
})

detecting('what a person chose is theirs', () => {
  assert.not.ok(hasChosen({ breed: '', mix: '' }, ''))
  assert.not.ok(hasChosen({ breed: '', mix: '' }, 'Beagle'))
  assert.not.ok(hasChosen({ breed: 'Beagle', mix: '' }, 'Beagle'))
  assert.ok(hasChosen({ breed: 'Beagle', mix: '' }, ''))
  assert.ok(hasChosen({ breed: 'Carlino', mix: '' }, 'Beagle'))
  assert.not.ok(hasChosen({ breed: 'Mestizo', mix: ' ' }, 'Mestizo'))
  assert.ok(hasChosen({ breed: 'Mestizo', mix: 'labrador' }, 'Mestizo'))
})

detecting('a screen reader hears each state', () => {
  assert.is(spoken(null, true, false), '')
  assert.is(spoken({ state: 'analysing' }, true, false), 'Analizando la foto…')
  assert.is(spoken({ state: 'failed', message: 'Error: Imagen no válida' }, true, false), 'Error: Imagen no válida')
  const found = { state: 'detected', breed: 'Beagle' } as const
  assert.is(spoken(found, true, true), 'Raza detectada: Beagle. Ya está elegida.')
  assert.is(spoken(found, true, false), 'Raza detectada: Beagle.')
  assert.is(spoken(found, false, false), 'Raza detectada: Beagle. No está en la lista: elige la que más se parezca.')
})

detecting.run()
