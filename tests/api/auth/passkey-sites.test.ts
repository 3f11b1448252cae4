import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { assert, assertNoMatch, call, detailOf, signIn, startServer, suite } from '#tests/support/suites.ts'

// Sites that have no passkeys, or other ones than before.

const sites = suite('api/auth/passkey-sites')

sites('at a bare IP address nothing of passkeys is offered', async () => {
  await using server = await startServer()
  const refused = await call(server, '/api/auth/passkeys/options', { method: 'POST', json: { for: 'sign-in' } })
  assert.equal(detailOf(refused), [503, 'Este sitio no admite llaves de acceso: necesita https y un nombre propio.'])
})

sites('pages of a site without https, or at a bare IP address, show nothing of passkeys', async () => {
  for (const siteUrl of ['http://perrario.example', 'https://192.0.2.7']) {
    await using server = await startServer({ SITE_URL: siteUrl })
    assertNoMatch((await call(server, '/login')).body, 'data-passkey', 'webauthn')
  }
})

sites(
  'a start under another SITE_URL says how many accounts have nothing but passkeys of the earlier one',
  async () => {
    await using server = await startServer({ SITE_URL: 'https://perrario.example' })
    const warning = /1 cuenta solo tiene llaves de acceso de otra SITE_URL y no puede entrar con ellas\./
    const [{ id }, { id: mailed }] = [await signIn(server, 'sola@ejemplo.es'), await signIn(server, 'con@ejemplo.es')]
    for (const userId of [id, mailed]) await addPasskeyRow(server.db, userId, { rp_id: 'antes.example' })
    await server.db.updateTable('users').set({ email: null }).where('id', '=', id).execute()
    assert.not.match(server.output(), warning)
    await server.restart()
    assert.match(server.output(), warning)
  },
)

const AGENTS: [agent: string, isInApp: boolean][] = [
  ['iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram 330.0.0.0.0', true],
  ['iPhone) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.0]', true],
  ['Linux; Android 15; Pixel 8 Build/AP3A; wv) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', true],
  ['Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', false],
]

sites('in an app’s own browser mail comes first, and a browser that providers take is named', async () => {
  await using server = await startServer({ GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' })
  for (const path of ['/login', '/perfil'])
    for (const [agent, isInApp] of AGENTS) {
      const { body } = await call(server, path, { headers: { 'User-Agent': `Mozilla/5.0 (${agent}` } })
      const [mail, google] = ['Tu email', 'Continuar con Google'].map((text) => body.indexOf(text))
      assert.equal([mail! < google!, body.includes('ábrelo en tu navegador')], [isInApp, isInApp], `${path} ${agent}`)
    }
})
