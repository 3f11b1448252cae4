import { reportDog, warnDogOwners } from '#tests/support/reports/reported-dogs.ts'
import { CookieJar, submitForm } from '#tests/support/auth/cookie-jar.ts'
import type { TestServer } from '#tests/support/server.ts'
import { answered, assert, call, detailOf, dog, member, seed, serverSuite, signIn } from '#tests/support/suites.ts'

// A form without script that is refused gets one sentence, about the invalid field and nothing else.

const ADMIN = 'admin@ejemplo.es'
const forms = serverSuite('api/access/form-errors', { ADMIN_EMAIL: ADMIN })

/** The sentences beside the form's fields on the page that the browser is sent back to. */
async function refusals(server: TestServer, cookie: string, action: string, fields: Record<string, string>) {
  const jar = new CookieJar()
  const [name, value] = cookie.split('=') as [string, string]
  jar.set(server.url, name, value)
  const sent = await answered(303, submitForm(jar, server.url + action, fields))
  const page = await (await jar.load(new URL(sent.headers.get('location')!, server.url).href)).text()
  // What is hidden waits for a script's words.
  return [...page.matchAll(/<p class="err"(?![^>]* hidden)[^>]*>([\s\S]*?)<\/p>/g)].map(([, text]) =>
    text!.replaceAll(/<[^>]*>/g, '').trim(),
  )
}

forms(
  'a report form without a reason, with an empty «otra cosa» or with a too long text returns its message',
  async ({ server }) => {
    const [, toby] = await seed(server.db, member(), dog())
    const { cookie } = await signIn(server, 'luis@ejemplo.es')
    const send = (fields: Record<string, string>) =>
      refusals(server, cookie, '/api/reports', { kind: 'dog', id: toby.id, ...fields })
    assert.equal(await send({ words: 'x' }), ['Elige un motivo.'])
    assert.equal(await send({ reason: 'otra' }), ['Cuéntanos qué ocurre.'])
    assert.equal(await send({ reason: 'otra', words: ' \n ' }), ['Cuéntanos qué ocurre.'])
    const long = ['La explicación no puede tener más de 500 caracteres.']
    for (const reason of ['otra', 'spam']) assert.equal(await send({ reason, words: 'á'.repeat(501) }), long)
    assert.equal(await send({ reason: 'otra', words: 'Sale mi casa.' }), [])
  },
)

forms('an answer to a decision that is empty, too long or repeated returns its message', async ({ server }) => {
  const ana = await signIn(server, 'ana@ejemplo.es')
  const [toby] = await seed(server.db, dog({ owner_id: ana.id }))
  const admin = { ...(await signIn(server, ADMIN)), email: ADMIN }
  const decision = await warnDogOwners(
    server.db,
    server.dataDir,
    admin,
    await reportDog(server.db, toby.id),
    'Sin anuncios.',
  )
  const send = (text: string) => refusals(server, ana.cookie, `/api/decisions/${decision}/appeal`, { text })
  assert.equal(await send(''), ['Escribe tu respuesta.'])
  assert.equal(await send('á'.repeat(501)), ['Como máximo, 500 caracteres.'])
  assert.equal(await send('No es publicidad.'), [])
})

forms(
  'an action of the admin without a reason, with a too long one or against oneself returns its message',
  async ({ server }) => {
    const admin = await signIn(server, ADMIN)
    const [toby] = await seed(server.db, dog({ owner_id: admin.id }))
    const id = await reportDog(server.db, toby.id)
    const send = (fields: Record<string, string>) => refusals(server, admin.cookie, `/api/admin/cases/${id}`, fields)
    assert.equal(await send({ deed: 'warn', reason: '' }), ['Escribe el motivo: la persona lo va a leer.'])
    assert.equal(await send({ deed: 'note', reason: '' }), ['Escribe la nota.'])
    assert.equal(await send({ deed: 'warn', reason: 'á'.repeat(501) }), ['Como máximo, 500 caracteres.'])
    assert.equal(await send({ deed: 'ban', reason: 'Sí', days: '7' }), ['Elige a quién.'])
    assert.equal(await send({ deed: 'ban', reason: 'Sí', days: '7', member: admin.id }), ['No puedes vetarte.'])
  },
)

forms(
  'an approval of content that its author has changed returns its message and the current content',
  async ({ server }) => {
    const admin = await signIn(server, ADMIN)
    const ana = await signIn(server, 'ana@ejemplo.es')
    const [toby] = await seed(server.db, dog({ owner_id: ana.id, description: 'Le gusta el agua.' }))
    const id = await reportDog(server.db, toby.id)
    const queue = async () =>
      (await fetch(`${server.url}/admin?tab=denuncias`, { headers: { Cookie: admin.cookie } })).text()
    const versionIn = (html: string) => /name="version" value="(\d+)"/.exec(html.slice(html.indexOf(`c-${id}`)))![1]!
    const before = await queue()
    assert.match(before, 'Le gusta el agua.')
    const send = (fields: Record<string, string>) => refusals(server, admin.cookie, `/api/admin/cases/${id}`, fields)
    const approve = (version: string) => ({ deed: 'dismiss', reason: '', orden: 'nuevas', version })
    const json = { description: 'Le gusta la nieve.' }
    assert.is((await call(server, `/api/dogs/${toby.id}`, { method: 'PATCH', cookie: ana.cookie, json })).status, 200)
    assert.equal(await send(approve(versionIn(before))), [
      'Ha cambiado desde que lo viste. Míralo otra vez antes de decidir.',
    ])
    const asJson = {
      method: 'POST',
      cookie: admin.cookie,
      json: { deed: 'dismiss', version: Number(versionIn(before)) },
    }
    const refused = await call(server, `/api/admin/cases/${id}`, asJson)
    assert.equal(detailOf(refused), [409, 'Ha cambiado desde que lo viste. Míralo otra vez antes de decidir.'])
    const { version: _, ...unseen } = asJson.json
    assert.is((await call(server, `/api/admin/cases/${id}`, { ...asJson, json: unseen })).status, 422)
    const after = await queue()
    assert.match(after, 'Le gusta la nieve.')
    assert.equal(await send(approve(versionIn(after))), [])
  },
)

forms('a name inherited from Object.prototype is not a message', async ({ server }) => {
  const { cookie } = await signIn(server, 'eva@ejemplo.es')
  const [, toby] = await seed(server.db, member(), dog())
  const addresses = [
    `/denunciar?tipo=perro&id=${toby.id}&error=constructor`,
    `/denunciar?tipo=perro&id=${toby.id}&hecho=constructor`,
    `/perfil/seguridad?error=constructor`,
    '/?tab=constructor',
  ]
  for (const address of addresses) {
    const response = await fetch(server.url + address, { headers: { Cookie: cookie }, redirect: 'manual' })
    assert.is(response.status, 200, address)
    assert.not.match(await response.text(), /native code|\[object/, address)
  }
})
