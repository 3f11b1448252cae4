import type { IncomingMessage } from 'node:http'
import { clientNetwork } from '#server/connections/client-network.ts'
import { assert, suite } from '#tests/support/suites.ts'

const requestFrom = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage
const networkOfAddress = (address: string) => clientNetwork(requestFrom(address), false)

const clientNetworks = suite('unit/server/client-network')

clientNetworks('an IPv6 connection is one caller, whichever of its addresses it uses', () => {
  assert.is(networkOfAddress('2001:db8:12:34:aaaa:1:2:3'), '2001:db8:12:34::/64')
  assert.is(networkOfAddress('2001:0DB8:12:34::1'), '2001:db8:12:34::/64')
  assert.is(networkOfAddress('2001:db8:12:35::1'), '2001:db8:12:35::/64')
  assert.is(networkOfAddress('2001:db8::1'), '2001:db8:0:0::/64')
  assert.is(networkOfAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

clientNetworks('other addresses stay unchanged', () => {
  for (const address of ['203.0.113.7', '::1', '127.0.0.1']) assert.is(networkOfAddress(address), address)
  assert.is(clientNetwork(requestFrom(undefined), false), 'unknown')
})

/** Spellings of one client by the network that limits count. */
const SPELLINGS: Record<string, readonly string[]> = {
  '203.0.113.7': [
    '203.0.113.7',
    '203.0.113.7:1',
    '203.0.113.7:65535',
    '[203.0.113.7]:443',
    '::ffff:203.0.113.7',
    '::FFFF:cb00:7107',
    '0:0:0:0:0:ffff:203.0.113.7',
    '0000:0000:0000:0000:0000:ffff:cb00:7107',
    '[::ffff:203.0.113.7]:443',
  ],
  '2001:db8:1:2::/64': [
    '2001:db8:1:2::1',
    '2001:db8:1:2:3:4:5:6',
    '2001:0DB8:0001:0002::1',
    '[2001:db8:1:2::1]',
    '[2001:db8:1:2::1]:443',
    '[2001:db8:1:2::1%eth0]:50000',
    '2001:db8:1:2::203.0.113.7',
  ],
  '::1': ['::1', '0:0:0:0:0:0:0:1', '[::1]:80'],
  // What is no address is the proxy's.
  '10.0.0.1': [
    '10.0.0.1',
    '',
    'nonsense',
    'unknown',
    '_oculto',
    '203.0.113.7:',
    '203.0.113.7:80:80',
    '203.0.113.07',
    '203.0.113.256',
    '[203.0.113.7',
    '[2001:db8:1:2::1]443',
    '2001:db8:1:2:3:4:5:6:443',
    'x'.repeat(500),
  ],
}

for (const [network, spellings] of Object.entries(SPELLINGS))
  clientNetworks(`every spelling behind a proxy counts for ${network}`, () => {
    for (const spelling of spellings)
      assert.is(clientNetwork(requestFrom('10.0.0.1', `198.51.100.1, ${spelling}`), true), network, spelling)
  })

clientNetworks('a socket of both protocols counts an IPv4 address as one of IPv4', () => {
  assert.is(networkOfAddress('::ffff:203.0.113.7'), '203.0.113.7')
})

clientNetworks('behind a proxy its entry counts, and without one no header of a client', () => {
  assert.is(clientNetwork(requestFrom('10.0.0.1', '198.51.100.1, 2001:db8:1:2:3:4:5:6'), true), '2001:db8:1:2::/64')
  assert.is(clientNetwork(requestFrom('203.0.113.7', '198.51.100.1'), false), '203.0.113.7')
  assert.is(clientNetwork(requestFrom('10.0.0.1'), true), '10.0.0.1')
})
