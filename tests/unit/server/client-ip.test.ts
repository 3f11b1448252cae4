import type { IncomingMessage } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientIp } from '#server/connections/client-ip.ts'

const requestFrom = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage
const ipOf = (address: string) => clientIp(requestFrom(address), false)

const ip = suite('unit/server/client-ip')

ip('an IPv6 connection is one caller, whichever of its addresses it uses', () => {
  assert.is(ipOf('2001:db8:12:34:aaaa:1:2:3'), '2001:db8:12:34::/64')
  assert.is(ipOf('2001:0DB8:12:34::1'), '2001:db8:12:34::/64')
  assert.is(ipOf('2001:db8:12:35::1'), '2001:db8:12:35::/64')
  assert.is(ipOf('2001:db8::1'), '2001:db8:0:0::/64')
  assert.is(ipOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

ip('other addresses stay unchanged', () => {
  for (const address of ['203.0.113.7', '::1', '::ffff:203.0.113.7', '127.0.0.1']) assert.is(ipOf(address), address)
  assert.is(clientIp(requestFrom(undefined), false), 'unknown')
})

ip('behind a proxy its entry counts, and without one no header of a client', () => {
  assert.is(clientIp(requestFrom('10.0.0.1', '198.51.100.1, 2001:db8:1:2:3:4:5:6'), true), '2001:db8:1:2::/64')
  assert.is(clientIp(requestFrom('203.0.113.7', '198.51.100.1'), false), '203.0.113.7')
  assert.is(clientIp(requestFrom('10.0.0.1', 'nonsense'), true), 'nonsense')
  assert.is(clientIp(requestFrom('10.0.0.1'), true), '10.0.0.1')
})

ip.run()
