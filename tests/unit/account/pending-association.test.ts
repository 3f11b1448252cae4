import {
  findPendingEmail,
  toAssociationOutcome,
  listPendingAssociations,
  withoutAssociatedDogs,
  formatPendingMessage,
  addEmailToPendingDogs,
} from '#features/account/join/pending-dogs.ts'
import { assert, suite } from '#tests/support/suites.ts'

const pending = suite('unit/account/pending-association')
const toby = { dogId: 'toby', ownershipType: 'owner', createdAt: 1, token: 't1' }
const luna = { dogId: 'luna', ownershipType: 'discoverer', createdAt: 2, token: 't2' }
const ids = (list: { dogId: string }[]) => list.map((p) => p.dogId)

pending('finds the last dog and those of the list, each once', () => {
  const list = JSON.stringify([
    { ...toby, email: '', dog: {} },
    { ...luna, email: '', dog: {} },
  ])
  assert.equal(ids(listPendingAssociations(JSON.stringify(luna), list)), ['toby', 'luna'])
  assert.equal(ids(listPendingAssociations(JSON.stringify(toby), null)), ['toby'])
  assert.equal(listPendingAssociations(null, null), [])
})

pending('the last dog has its name from the list', () => {
  const list = JSON.stringify([{ ...luna, email: '', dog: { name: 'Luna' } }])
  assert.is(formatPendingMessage(JSON.stringify(luna), list), 'Luna te espera: entra y estará en tu cuenta.')
})

pending('other values in storage contain nothing to associate', () => {
  for (const text of ['', '{', '7', 'null', '[]', '{"dogId":1}', '{"dogId":"x","ownershipType":"thief","token":"t"}'])
    assert.equal(listPendingAssociations(text, text), [], text)
})

pending('the list retains pending dogs, and is removed when none is left', () => {
  const list = JSON.stringify([toby, luna])
  assert.equal(JSON.parse(withoutAssociatedDogs(list, new Set(['toby']))!), [luna])
  assert.is(withoutAssociatedDogs(list, new Set(['toby', 'luna'])), null)
  assert.is(withoutAssociatedDogs('rubbish', new Set()), null)
})

pending('a response status claims, rejects or postpones', () => {
  assert.is(toAssociationOutcome(200), 'done')
  for (const status of [403, 404, 409]) assert.is(toAssociationOutcome(status), 'rejected')
  for (const status of [401, 429, 500, 503]) assert.is(toAssociationOutcome(status), 'later')
})

pending('the typed e-mail is stored with every pending dog and offered again', () => {
  const list = JSON.stringify([
    { ...toby, email: '', dog: { name: 'Toby' } },
    { ...luna, email: '', dog: { name: 'Luna' } },
  ])
  assert.is(findPendingEmail(list), '')
  const after = addEmailToPendingDogs(list, 'ana@ejemplo.es')!
  assert.equal(JSON.parse(after), [
    { ...toby, email: 'ana@ejemplo.es', dog: { name: 'Toby' } },
    { ...luna, email: 'ana@ejemplo.es', dog: { name: 'Luna' } },
  ])
  assert.is(findPendingEmail(after), 'ana@ejemplo.es')
  for (const nothing of [null, '[]', 'rubbish', '[7]']) {
    assert.is(addEmailToPendingDogs(nothing, 'ana@ejemplo.es'), null)
    assert.is(findPendingEmail(nothing), '')
  }
})

pending('the sign-in screens name the pending dog', () => {
  const one = (name: string) => JSON.stringify([{ ...toby, email: '', dog: { name } }])
  assert.is(formatPendingMessage(null, one('Toby')), 'Toby te espera: entra y estará en tu cuenta.')
  assert.is(formatPendingMessage(null, one('???')), 'Tu perro te espera: entra y estará en tu cuenta.')
  assert.is(formatPendingMessage(JSON.stringify(toby), null), 'Tu perro te espera: entra y estará en tu cuenta.')
  assert.is(
    formatPendingMessage(JSON.stringify(luna), one('Toby')),
    'Tus 2 perros te esperan: entra y estarán en tu cuenta.',
  )
  assert.is(formatPendingMessage(null, null), null)
})
