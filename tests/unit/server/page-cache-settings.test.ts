import { readEnv } from '#server/env.ts'
import { assert, suite } from '#tests/support/suites.ts'

const settings = suite('unit/server/page-cache-settings')

settings('the poll interval has a former name, which the new one replaces', () => {
  assert.is(readEnv({}).pageCachePollMs, 1000)
  assert.is(readEnv({ PAGE_CACHE_LOOK: '200' }).pageCachePollMs, 200)
  assert.is(readEnv({ PAGE_CACHE_LOOK: '200', PAGE_CACHE_POLL_MS: '0' }).pageCachePollMs, 0)
})

settings('an interval that is no number is refused with its unit', () => {
  for (const name of ['PAGE_CACHE_POLL_MS', 'PAGE_CACHE_LOOK'])
    assert.throws(() => readEnv({ [name]: 'x' }), new RegExp(`${name}=x: .*milisegundos`))
})
