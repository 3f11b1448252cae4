import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { signIn, withDatabase } from '#tests/support/seed.ts'
import { startServer } from '#tests/support/server.ts'

// Sites that have no passkeys, or other ones than before.

const sites = suite('api/auth/passkey-sites')

sites('at a bare IP address nothing of passkeys is offered', async () => {
  const server = await startServer()
  try {
    const refused = await call(server, '/api/auth/passkeys/options', { method: 'POST', json: { for: 'sign-in' } })
    assert.equal(
      [refused.status, refused.body.detail],
      [503, 'Este sitio no admite llaves de acceso: necesita https y un nombre propio.'],
    )
  } finally {
    await server.dispose()
  }
})

sites('pages of a site without https, or at a bare IP address, show nothing of passkeys', async () => {
  for (const siteUrl of ['http://perrario.example', 'https://192.0.2.7']) {
    const server = await startServer({ SITE_URL: siteUrl })
    try {
      const page = (await call(server, '/login')).body as string
      assert.not.match(page, 'data-passkey')
      assert.not.match(page, 'webauthn')
    } finally {
      await server.dispose()
    }
  }
})

sites(
  'a start under another SITE_URL says how many accounts have nothing but passkeys of the earlier one',
  async () => {
    const server = await startServer({ SITE_URL: 'https://perrario.example' })
    const warning = /1 cuenta solo tiene llaves de acceso de otra SITE_URL y no puede entrar con ellas\./
    try {
      const [{ id }, { id: mailed }] = [await signIn(server, 'sola@ejemplo.es'), await signIn(server, 'con@ejemplo.es')]
      await withDatabase(server, async (db) => {
        for (const userId of [id, mailed]) await addPasskeyRow(db, userId, { rp_id: 'antes.example' })
        await db.updateTable('users').set({ email: null }).where('id', '=', id).execute()
      })
      assert.not.match(server.output(), warning)
      await server.restart()
      assert.match(server.output(), warning)
    } finally {
      await server.dispose()
    }
  },
)

sites.run()
