import type { IncomingMessage } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientNetwork } from '#server/connections/client-network.ts'

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
  for (const address of ['203.0.113.7', '::1', '::ffff:203.0.113.7', '127.0.0.1'])
    assert.is(networkOfAddress(address), address)
  assert.is(clientNetwork(requestFrom(undefined), false), 'unknown')
})

clientNetworks('behind a proxy its entry counts, and without one no header of a client', () => {
  assert.is(clientNetwork(requestFrom('10.0.0.1', '198.51.100.1, 2001:db8:1:2:3:4:5:6'), true), '2001:db8:1:2::/64')
  assert.is(clientNetwork(requestFrom('203.0.113.7', '198.51.100.1'), false), '203.0.113.7')
  assert.is(clientNetwork(requestFrom('10.0.0.1', 'nonsense'), true), 'nonsense')
  assert.is(clientNetwork(requestFrom('10.0.0.1'), true), '10.0.0.1')
})

clientNetworks.run()
