import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { serverSuite } from '#tests/support/suites.ts'

// What a member changes of their ways in shows at once on the pages that are kept for them (own-pages.test.ts).

const ways = serverSuite<{ bea: TestMember; passkey: string }>('api/members/own-ways-in')
ways.before(async (t) => {
  t.bea = await signInMember(t.server, 'bea@ejemplo.es')
  t.passkey = await withDatabase(t.server, (db) => addPasskeyRow(db, t.bea.id))
})

ways('each change shows on the account’s page and the profile', async ({ server, bea: { cookie }, passkey }) => {
  const read = async (path: string) => (await call(server, path, { cookie })).body as string
  const account = async () => {
    // Once more, from what is kept.
    await read('/perfil/cuenta')
    return read('/perfil/cuenta')
  }
  const send = async (method: string, path: string, json?: object) => {
    const { status, body } = await call(server, path, { method, cookie, ...(json && { json }) })
    assert.ok(status < 300, JSON.stringify(body))
  }
  assert.match(await account(), 'Llave 1')
  await send('PATCH', `/api/auth/passkeys/${passkey}`, { name: 'Mi llavero' })
  assert.match(await account(), 'Mi llavero')
  assert.match(await read('/perfil/seguridad'), 'códigos para entrar')
  await send('POST', '/api/account/recovery-codes')
  assert.match(await read('/perfil/seguridad'), 'quedan <b>10</b>')
  await send('POST', '/api/account/email', { email: 'otra@ejemplo.es' })
  assert.match(await account(), 'otra@ejemplo.es')
  assert.not.match(await read('/perfil'), 'La próxima vez, con tu huella')
  await send('DELETE', `/api/auth/passkeys/${passkey}`)
  // The log of what happened names it.
  assert.not.match((await account()).replace(/<section[^>]*seguridad[^]*?<\/section>/, ''), 'Mi llavero')
  assert.match(await read('/perfil'), 'La próxima vez, con tu huella')
})

ways.run()
