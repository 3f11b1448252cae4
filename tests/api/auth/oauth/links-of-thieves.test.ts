import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '#tests/support/api.ts'
import { CookieJar } from '#tests/support/auth/cookie-jar.ts'
import { type GoogleSite, startGoogleSite } from '#tests/support/auth/google-site.ts'
import { followCallback, readSessionUser } from '#tests/support/auth/oauth-flow.ts'
import { logIn } from '#tests/support/auth/oidc-provider.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { signIn } from '#tests/support/seed.ts'

// Somebody with another member's open session links a provider account of their own: the member's ways back end that link.

const thieves = suite<{ site: GoogleSite }>('api/auth/oauth/links-of-thieves')
thieves.before(async (t) => {
  t.site = await startGoogleSite()
  t.site.oidc.people.ladron = { email: 'ladron@correo.example', email_verified: true }
})
thieves.after((t) => t.site.close())

const post = ({ server }: GoogleSite, path: string, cookie: string, json: object) =>
  call(server, path, { method: 'POST', cookie, json })
const tokenOf = (link: string) => new URL(link).searchParams.get('token')!

/** Links the thief's Google account in the session of `cookie`. */
async function link({ server }: GoogleSite, cookie: string) {
  const jar = new CookieJar()
  for (const pair of cookie.split('; ')) jar.set(server.url, ...(pair.split('=') as [string, string]))
  const start = await jar.load(`${server.url}/api/auth/google?para=enlazar`)
  const done = await followCallback(jar, await logIn(new CookieJar(), start.headers.get('location')!, 'ladron'))
  assert.is(done.headers.get('location'), '/perfil/cuenta?hecho=enlazado#entrada')
}

/** Whose account the thief's Google account opens. */
async function enteredEmail(site: GoogleSite) {
  const { jar } = await site.signIn('ladron')
  return (await readSessionUser(site.server, jar))?.email
}

thieves('a Google account linked after a change of address opens nothing once that is undone', async ({ site }) => {
  const { cookie } = await signIn(site.server, 'ana@ejemplo.es')
  await post(site, '/api/account/email', cookie, { email: 'ladron@ejemplo.es' })
  const { code } = lastMailTo(site.server.dataDir, 'ladron@ejemplo.es')
  await post(site, '/api/account/email/code', cookie, { code })
  await link(site, cookie)
  assert.is(await enteredEmail(site), 'ladron@ejemplo.es')
  const { link: undo } = lastMailTo(site.server.dataDir, 'ana@ejemplo.es')
  assert.match(undo, '/deshacer?')
  const undone = await post(site, '/api/account/undo', '', { token: tokenOf(undo) })
  assert.is(undone.status, 200)
  assert.is.not(await enteredEmail(site), 'ana@ejemplo.es')
})

thieves.run()
