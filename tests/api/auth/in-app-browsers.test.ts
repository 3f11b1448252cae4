import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { startServer } from '#tests/support/server.ts'

const inApp = suite('api/auth/in-app-browsers')

const AGENTS: [agent: string, isInApp: boolean][] = [
  ['iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram 330.0.0.0.0', true],
  ['iPhone) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.0]', true],
  ['Linux; Android 15; Pixel 8 Build/AP3A; wv) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', true],
  ['Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', false],
]

inApp('in an app’s own browser mail comes first, and a browser that providers take is named', async () => {
  const server = await startServer({ GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' })
  for (const path of ['/login', '/perfil'])
    for (const [agent, isInApp] of AGENTS) {
      const { body } = await call(server, path, { headers: { 'User-Agent': `Mozilla/5.0 (${agent}` } })
      const [mail, google] = ['Tu email', 'Continuar con Google'].map((text) => body.indexOf(text))
      assert.equal([mail! < google!, body.includes('ábrelo en tu navegador')], [isInApp, isInApp], `${path} ${agent}`)
    }
  await server.dispose()
})

inApp.run()
