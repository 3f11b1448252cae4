import { setDigestEnabled, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { answered, assert, call, detailOf, redirectOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

type Context = ServerWorld & { ana: TestMember; luis: TestMember; token: string }
const digest = serverSuite<Context>('api/notifications/digest')

let people = 0
digest.before.each(async (t) => {
  const n = ++people
  t.ana = await signInMember(t.server, `ana${n}@ejemplo.es`)
  t.luis = await signInMember(t.server, `luis${n}@ejemplo.es`)
  for (const { id } of [t.ana, t.luis]) await setDigestEnabled(t.server.db, id, true)
  t.token = await issueSecret(t.server.db, 'digest-mails', { user_id: t.ana.id }, Date.now())
})

const hasDigest = ({ server }: Context, { id }: TestMember) => wantsDigest(server.db, id)
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const unsubscribe = ({ server }: Context, token: string, body: string, headers: Record<string, string> = FORM) =>
  call(server, `/api/unsubscribe?${new URLSearchParams({ token })}`, { method: 'POST', body, headers })

digest('a mail program unsubscribes with one click, from any address, repeatedly', async (t) => {
  const foreign = { ...FORM, Origin: 'https://correo.example', 'Sec-Fetch-Site': 'cross-site' }
  for (let i = 0; i < 2; i++) {
    const { status, body, headers } = await unsubscribe(t, t.token, 'List-Unsubscribe=One-Click', foreign)
    assert.equal([status, body, headers.get('set-cookie')], [200, { unsubscribed: true }, null])
  }
  assert.equal([await hasDigest(t, t.ana), await hasDigest(t, t.luis)], [false, true])
})

digest('mails from before unsubscribe by the address that they have', async (t) => {
  const path = `/api/digest/unsubscribe?token=${t.token}`
  const headers = { ...FORM, Origin: 'https://correo.example' }
  const sent = await call(t.server, path, { method: 'POST', body: 'List-Unsubscribe=One-Click', headers })
  assert.equal([sent.status, await hasDigest(t, t.ana)], [200, false])
})

digest('a multipart body unsubscribes as well, as the RFC allows', async (t) => {
  const form = new FormData()
  form.append('List-Unsubscribe', 'One-Click')
  assert.is((await call(t.server, `/api/unsubscribe?token=${t.token}`, { method: 'POST', form })).status, 200)
  assert.is(await hasDigest(t, t.ana), false)
})

digest('a GET by a link scanner changes nothing', async (t) => {
  for (const mails of ['', 'digest/', 'lost-alerts/', 'message-mails/']) {
    const api = await call(t.server, `/api/${mails}unsubscribe?token=${t.token}`)
    assert.equal(redirectOf(api), [303, `/baja?token=${t.token}`])
  }
  const page = await call(t.server, `/baja?token=${t.token}`)
  assert.equal([page.status, page.headers.get('cache-control')], [200, 'no-store'])
  assert.is(page.headers.get('referrer-policy'), 'same-origin')
  assert.match(page.body, 'No recibir más resúmenes')
  assert.is((await call(t.server, `/baja?token=${t.token}`, { method: 'HEAD' })).status, 200)
  assert.is(await hasDigest(t, t.ana), true)
})

digest('a wrong token is refused', async (t) => {
  for (const token of ['', 'x', t.ana.id, `${t.token}x`, '"><script>', 'a'.repeat(5000)]) {
    assert.equal(detailOf(await unsubscribe(t, token, 'List-Unsubscribe=One-Click')), [404, 'Este enlace no vale.'])
    const page = await answered(404, call(t.server, `/baja?${new URLSearchParams({ token })}`))
    assert.not.match(page.body, '"><script>')
  }
  assert.is((await unsubscribe(t, t.token, 'x'.repeat(20_000))).status, 413)
  assert.equal([await hasDigest(t, t.ana), await hasDigest(t, t.luis)], [true, true])
})

digest('the page’s button unsubscribes and redirects to the page', async (t) => {
  const { status, headers } = await unsubscribe(t, t.token, 'boton=si')
  assert.equal([status, headers.get('location')], [303, `/baja?token=${t.token}`])
  assert.match((await call(t.server, headers.get('location')!)).body, 'Hecho: no recibirás más resúmenes')
  assert.is(await hasDigest(t, t.ana), false)
})
