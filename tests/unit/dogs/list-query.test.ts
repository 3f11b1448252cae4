import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPageQuery } from '#features/dogs/list/dog-query.ts'
import { readSize } from '#features/dogs/read-size.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'

const query = suite('unit/dogs/list-query')

query('a page drops invalid parameters', () => {
  const read = (text: string) => readPageQuery(new URLSearchParams(text))
  assert.equal(read(''), {})
  assert.equal(read('breed=beagle&size=Mini&sort=votes-desc'), { breed: 'beagle', size: 'mini', sort: 'votes-desc' })
  assert.equal(read('breed=&size=&sort='), {})
  assert.equal(read('size=enorme&sort=nombre&cursor=abc&limit=9999&view=map'), {})
  assert.equal(read('sort=age-asc&sort=votes-asc'), { sort: 'age-asc' })
  assert.equal(read(`breed=${'x'.repeat(501)}`), {})
  assert.equal(read('sort=constructor&size=__proto__'), {})
})

query('a size is compared ignoring case and spaces', () => {
  for (const text of ['pequeño', ' PEQUEÑO', 'pe queño', 'pequeno']) assert.is(readSize(text), 'pequeño')
  for (const text of ['', 'xl', 'mini mini']) assert.is(readSize(text), undefined)
})

query('a cursor is read as written, for every number', () => {
  for (const value of [0, 12.5, 1_763_640_000_123, 0.1 + 0.2]) {
    const at = { order: 'weight-asc', value, id: '3b241101-e2bb-4255-8caf-4136c566a962' }
    assert.match(encodeCursor(at), /^[\w-]+$/)
    assert.equal(decodeCursor(encodeCursor(at), 'weight-asc'), at)
  }
})

query.run()
