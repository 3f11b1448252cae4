import { hasPersonChosen, isListed, otherBreeds } from '#features/dogs/form/detection/state.ts'
import { toDetectionState } from '#features/dogs/form/detection/request-detection.client.ts'
import { detectionAnnouncement, firstConfidence } from '#features/dogs/form/detection/words.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const detecting = suite('unit/dogs/form/breed-detection')
const NAMES = ['Beagle', 'Carlino']

detecting('no breed is a failure that can be tried again', () => {
  assert.equal(toDetectionState({ breed: null, alternatives: [] }), {
    state: 'failed',
    message: 'No se pudo detectar la raza',
  })
  const beagle = { breed: 'Beagle', alternatives: [] }
  assert.equal(toDetectionState(beagle), { state: 'detected', ...beagle })
})

const GUESSED = toDetectionState({
  breed: 'Beagle',
  alternatives: [
    { breed: 'Beagle', confidence: 'alta' },
    { breed: 'Dogo de las Cañadas', confidence: 'media' },
    { breed: 'Carlino', confidence: 'media' },
    { breed: 'Mestizo', confidence: 'baja' },
  ],
})

detecting('the other breeds are those that the picker offers', () => {
  const others = otherBreeds(GUESSED, NAMES)
  assert.equal(pluck(others, 'breed'), ['Carlino', 'Mestizo'])
  assert.equal(otherBreeds({ state: 'analysing' }, NAMES), [])
  assert.is(firstConfidence(GUESSED), 'muy probable')
  assert.is(firstConfidence({ state: 'detected', breed: 'Beagle', alternatives: [] }), '')
  assert.is(
    detectionAnnouncement(GUESSED, true, true, others),
    'Raza detectada: Beagle, muy probable. Ya está elegida. También podría ser: Carlino, probable; Mestizo, quizá.',
  )
})

detecting('the picker’s names and the mixed one can be chosen', () => {
  assert.ok(isListed('Beagle', NAMES))
  assert.ok(isListed('Mestizo', NAMES))
  assert.not.ok(isListed('beagle', NAMES))
  assert.not.ok(isListed('Dogo de las Cañadas', NAMES))
})

detecting('a breed chosen by a person is distinguished from a detected one', () => {
  assert.not.ok(hasPersonChosen({ breed: '', mix: '' }, ''))
  assert.not.ok(hasPersonChosen({ breed: '', mix: '' }, 'Beagle'))
  assert.not.ok(hasPersonChosen({ breed: 'Beagle', mix: '' }, 'Beagle'))
  assert.ok(hasPersonChosen({ breed: 'Beagle', mix: '' }, ''))
  assert.ok(hasPersonChosen({ breed: 'Carlino', mix: '' }, 'Beagle'))
  assert.not.ok(hasPersonChosen({ breed: 'Mestizo', mix: ' ' }, 'Mestizo'))
  assert.ok(hasPersonChosen({ breed: 'Mestizo', mix: 'labrador' }, 'Mestizo'))
})

detecting('a screen reader announces each state', () => {
  assert.is(detectionAnnouncement(null, true, false, []), '')
  assert.is(detectionAnnouncement({ state: 'analysing' }, true, false, []), 'Analizando la foto…')
  assert.is(
    detectionAnnouncement({ state: 'failed', message: 'Error: Imagen no válida' }, true, false, []),
    'Error: Imagen no válida',
  )
  const found = toDetectionState({ breed: 'Beagle', alternatives: [] })
  assert.is(detectionAnnouncement(found, true, true, []), 'Raza detectada: Beagle. Ya está elegida.')
  assert.is(detectionAnnouncement(found, true, false, []), 'Raza detectada: Beagle.')
  assert.is(
    detectionAnnouncement(found, false, false, []),
    'Raza detectada: Beagle. No está en la lista: elige la que más se parezca.',
  )
})
