import { bySexText, originText } from '#features/album/breed/tile-texts.ts'
import { assert, suite } from '#tests/support/suites.ts'

const texts = suite('unit/album/tile-texts')

texts('figures by sex stand where the sexes differ', () => {
  assert.is(bySexText({ males: [55, 60], females: [52, 57] }), 'Machos 55–60, hembras 52–57')
  assert.is(bySexText({ males: [25, 25], females: [25, 25] }), undefined)
  assert.is(bySexText({ males: [55, 60] }), undefined)
  assert.is(bySexText(undefined), undefined)
})

texts('a single figure is an ideal, so that it does not contradict the range above it', () => {
  assert.is(bySexText({ males: [43, 43], females: [40, 40] }), 'Machos unos 43, hembras unos 40')
  assert.is(bySexText({ males: [12.25, 12.25], females: [11, 12] }), 'Machos unos 12,3, hembras 11–12')
})

texts('an origin of two countries joins them', () => {
  assert.is(originText('Bélgica/Francia'), 'Bélgica y Francia')
  assert.is(originText('Alemania / Italia'), 'Alemania e Italia')
  assert.is(originText(''), 'Todo el mundo')
})

texts.run()
