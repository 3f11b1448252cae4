import { findRelyingParty } from '#features/auth/passkeys/relying-party.ts'
import { assert, suite } from '#tests/support/suites.ts'

const party = suite('unit/auth/relying-party')

party('passkeys are bound to the host of SITE_URL under https', () => {
  assert.equal(findRelyingParty('https://perrario.example', 'otro.example'), {
    id: 'perrario.example',
    origin: 'https://perrario.example',
  })
  assert.equal(findRelyingParty('https://perrario.example:8443', null), {
    id: 'perrario.example',
    origin: 'https://perrario.example:8443',
  })
})

party('localhost needs no https, with SITE_URL or without', () => {
  const local = { id: 'localhost', origin: 'http://localhost:4321' }
  assert.equal(findRelyingParty('http://localhost:4321', null), local)
  assert.equal(findRelyingParty(undefined, 'localhost:4321'), local)
})

party('nothing is offered without https, on a bare IP address, or at an unconfirmed host', () => {
  for (const [siteUrl, host] of [
    ['http://perrario.example', 'perrario.example'],
    ['https://192.0.2.7', '192.0.2.7'],
    ['https://[2001:db8::7]', null],
    [undefined, '127.0.0.1:4321'],
    [undefined, '[::1]:4321'],
    [undefined, 'perrario.example'],
    [undefined, 'localhost.otro.example'],
    [undefined, null],
    [undefined, ':::'],
  ] as const)
    assert.is(findRelyingParty(siteUrl, host), null, `${siteUrl} ${host}`)
})
