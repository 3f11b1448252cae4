import { readPageQuery } from '#features/dogs/list/dog-query.ts'
import { readSize } from '#features/dogs/read-size.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { AppError } from '#lib/errors.ts'
import { assert, suite } from '#tests/support/suites.ts'

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

query('a cursor is read as written, for every whole number', () => {
  for (const value of [0, -12, 1_763_640_000_123, Number.MAX_SAFE_INTEGER]) {
    const at = { order: 'weight-asc', value, id: '3b241101-e2bb-4255-8caf-4136c566a962' }
    assert.match(encodeCursor(at), /^[\w-]+$/)
    assert.equal(decodeCursor(encodeCursor(at), 'weight-asc'), at)
  }
})

query('a cursor that no page wrote is refused', () => {
  const id = 'x'
  const texts = [
    [12.5, id],
    [1e308, id],
    [2 ** 53, id],
    [null, id],
    ['1', id],
    [1, 1],
    [1, 'x'.repeat(2000)],
  ].map((rest) => btoa(JSON.stringify(['recent', ...rest])).replaceAll('=', ''))
  for (const text of [...texts, '', 'x', btoa('[]')])
    assert.throws(
      () => decodeCursor(text, 'recent'),
      (error: unknown) => error instanceof AppError && error.status === 422,
      text,
    )
})
