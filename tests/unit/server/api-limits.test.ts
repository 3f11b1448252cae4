import type { AppError } from '#lib/errors.ts'
import { type ApiCall, limitMemberCall, limitNetworkCall } from '#server/limits/api-limits.ts'
import { networkOf } from '#server/connections/client-network.ts'
import { assert, suite } from '#tests/support/suites.ts'

const calls = suite('unit/server/api-limits')

const PER_MINUTE = 50
type Caller = ApiCall & { userId: string | undefined }
const statusOf = async (call: Partial<Caller>, perMinute = PER_MINUTE) => {
  const full: Caller = { method: 'POST', path: '/api/dogs', network: '192.0.2.1', userId: undefined, ...call }
  try {
    await limitNetworkCall(full, perMinute)
    await limitMemberCall(full.method, full.userId, perMinute)
    return 200
  } catch (error) {
    return (error as AppError).status
  }
}
/** How many of `count` calls pass before the first is refused, and what the others meet. */
async function countPassing(count: number, call: (n: number) => Partial<Caller>, perMinute = PER_MINUTE) {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push(await statusOf(call(n), perMinute))
  const passed = statuses.indexOf(429) < 0 ? count : statuses.indexOf(429)
  assert.equal(new Set(statuses.slice(passed)), new Set(passed < count ? [429] : []))
  return passed
}

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']
const PATHS = ['/api/dogs', '/api/auth/magic-link', '/compartir', '/fragments/x']

calls('a network has 3,000 writes a minute, over all routes and methods', async () => {
  const write = (n: number) => ({ method: WRITES[n % 4]!, path: PATHS[(n >> 2) % 4]!, network: '192.0.2.10' })
  assert.is(await countPassing(3005, write), 3000)
  assert.is(await statusOf({ network: '192.0.2.11' }), 200)
})

calls('an IPv6 network is one caller, whichever of its addresses it uses', async () => {
  const from = (n: number) => ({ network: networkOf(`2001:db8:1:1::${(n + 1).toString(16)}`) })
  assert.is(await countPassing(3001, from), 3000)
  assert.is(await statusOf({ network: networkOf('2001:db8:1:1:ffff::1') }), 429)
  assert.is(await statusOf({ network: networkOf('2001:db8:1:2::1') }), 200)
})

calls('a member has 2,000 writes a minute, from any network, without reducing those of others there', async () => {
  const write = (n: number) => ({ userId: 'ana', network: `198.51.100.${n % 4}` })
  assert.is(await countPassing(2003, write), 2000)
  assert.is(await statusOf({ userId: 'luis', network: '198.51.100.1' }), 200)
  assert.is(await statusOf({ network: '198.51.100.1' }), 200)
})

calls('a network has twice as many API reads a minute as pages, which count separately', async () => {
  const read = (n: number) => ({ method: n % 2 ? 'GET' : 'HEAD', path: n % 3 ? '/api/dogs' : '/api/map' })
  assert.is(await countPassing(103, read), 100)
  assert.is(await statusOf({ method: 'GET', path: '/api/dogs', network: '192.0.2.2' }), 200)
  assert.is(await statusOf({ method: 'GET', path: '/razas' }), 200)
  assert.is(await statusOf({ method: 'POST' }), 200)
})

calls('without a page limit there is no limit of calls', async () => {
  assert.is(await countPassing(3500, () => ({ network: '203.0.113.1', userId: 'eva' }), 0), 3500)
})
