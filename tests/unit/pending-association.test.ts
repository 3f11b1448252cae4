import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { outcomeOf, pendingAssociations, remainingDogs } from '#features/account/pending.ts'

const pending = suite('pending association')
const toby = { dogId: 'toby', ownershipType: 'owner', createdAt: 1, token: 't1' }
const luna = { dogId: 'luna', ownershipType: 'discoverer', createdAt: 2, token: 't2' }
const ids = (list: { dogId: string }[]) => list.map((p) => p.dogId)

pending('finds the last dog and those of the list, each once', () => {
  const list = JSON.stringify([
    { ...toby, email: '', dog: {} },
    { ...luna, email: '', dog: {} },
  ])
  assert.equal(ids(pendingAssociations(JSON.stringify(luna), list)), ['toby', 'luna'])
  assert.equal(ids(pendingAssociations(JSON.stringify(toby), null)), ['toby'])
  assert.equal(pendingAssociations(null, null), [])
})

pending('whatever else a device holds there is nothing to associate', () => {
  for (const text of ['', '{', '7', 'null', '[]', '{"dogId":1}', '{"dogId":"x","ownershipType":"thief","token":"t"}'])
    assert.equal(pendingAssociations(text, text), [], text)
})

pending('the list keeps what still waits, and goes when nothing does', () => {
  const list = JSON.stringify([toby, luna])
  assert.equal(JSON.parse(remainingDogs(list, new Set(['toby']))!), [luna])
  assert.is(remainingDogs(list, new Set(['toby', 'luna'])), null)
  assert.is(remainingDogs('rubbish', new Set()), null)
})

pending('an answer claims, ends or postpones', () => {
  assert.is(outcomeOf(200), 'done')
  for (const status of [403, 404, 409]) assert.is(outcomeOf(status), 'hopeless')
  for (const status of [401, 429, 500, 503]) assert.is(outcomeOf(status), 'later')
})

pending.run()
