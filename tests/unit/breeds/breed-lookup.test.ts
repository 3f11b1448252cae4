import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lookUp, editDistance, type LookupEntry } from '#features/breeds/lookup.ts'

const BREEDS: LookupEntry[] = [
  { slug: 'pastor-aleman', keys: ['pastoraleman', 'germanshepherd', 'ovejeroaleman'] },
  { slug: 'pastor-belga', keys: ['pastorbelga'] },
  { slug: 'pug', keys: ['pug', 'carlino'] },
  { slug: 'grifon-de-bruselas', keys: ['grifondebruselas', 'grifon'] },
  { slug: 'grifon-belga', keys: ['grifonbelga', 'grifon'] },
  { slug: 'beagle', keys: ['beagle'] },
]

const lookup = suite('unit/breeds/breed-lookup')

lookup('its own address is found', () => {
  assert.equal(lookUp('pastor-aleman', BREEDS), { found: 'pastor-aleman' })
})

lookup('case, accents, spaces and other names lead to the same breed', () => {
  for (const text of ['Pastor-Aleman', 'PASTOR ALEMÁN', 'pastor_aleman', 'pastoraleman', 'German Shepherd'])
    assert.equal(lookUp(text, BREEDS), { moved: 'pastor-aleman' }, text)
})

lookup('a typo of one or two letters is tolerated', () => {
  assert.equal(lookUp('pastor-alemna', BREEDS), { moved: 'pastor-aleman' })
  assert.equal(lookUp('beagel', BREEDS), { moved: 'beagle' })
  assert.equal(lookUp('pastorr-belgaa', BREEDS), { moved: 'pastor-belga' })
})

lookup('short names are not guessed, and several candidates are listed', () => {
  assert.not.ok('moved' in lookUp('puf', BREEDS))
  assert.equal(lookUp('grifon', BREEDS), { near: ['grifon-de-bruselas', 'grifon-belga'] })
  assert.equal(lookUp('pastor', BREEDS), { near: ['pastor-aleman', 'pastor-belga'] })
  assert.equal(lookUp('pasotr', BREEDS), { near: ['pastor-aleman', 'pastor-belga'] })
  assert.equal(lookUp('unicornio', BREEDS), { near: [] })
})

lookup('a text that cannot name a breed is invalid', () => {
  assert.equal(lookUp('!!!', BREEDS), { invalid: true })
  assert.equal(lookUp('x'.repeat(500), BREEDS), { invalid: true })
})

lookup('typos are counted up to a limit', () => {
  assert.is(editDistance('galgo', 'galgo', 3), 0)
  assert.is(editDistance('glago', 'galgo', 3), 1)
  assert.is(editDistance('galgo', 'galgos', 3), 1)
  assert.is(editDistance('galgo', 'teckel', 2), 3)
})

lookup.run()
