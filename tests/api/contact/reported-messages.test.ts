import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { openThread } from '#features/contact/threads.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { call } from '#tests/support/api.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { createCookie } from '#tests/support/erasure/world.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { assert, assertMatches, contentOf, redirectOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface World extends ServerWorld {
  ana: CurrentUser
  cookie: string
  admin: string
  device: string
  threadId: string
}
const reported = serverSuite<World>('api/contact/reported-messages', { ADMIN_EMAIL: 'admin@ejemplo.es' })
reported.before(async (t) => {
  const { secret, hash } = finderSecret()
  const { db } = t.server

  const [ana, toby, admin] = await seed(
    db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby' }),
    member({ email: 'admin@ejemplo.es', alias: 'Admin' }),
  )
  t.ana = ana
  const lostCaseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
  t.threadId = (await openThread(db, { lostCaseId, memberId: ana.id, finder: { secretHash: hash } })).id
  t.cookie = await createCookie(db, ana.id)
  t.admin = await createCookie(db, admin.id)
  t.device = `perrario-hallazgos=${t.threadId}~${secret}`
})

const form = ({ server }: World, path: string, cookie: string, fields: Record<string, string>) =>
  call(server, path, { method: 'POST', cookie, fields, headers: { Origin: server.url } })

reported('both sides report the other’s messages, and the admin settles them', async (t) => {
  const { server, threadId, cookie, device, admin, ana } = t
  const [asked, paid] = [
    await postMessage(server.db, 'member', threadId, '¿Dónde está? <i>'),
    await postMessage(server.db, 'finder', threadId, 'Paga 100 euros'),
  ]
  const path = `/mensajes/${threadId}`
  assert.equal((await call(server, path, { cookie: device })).body.match(/value="report"/g)!.length, 1)
  const api = `/api/messages/${threadId}/report`
  const post = (reader: string | undefined, message: string) =>
    call(server, api, { method: 'POST', cookie: reader, json: { message } })
  assert.is((await post(undefined, paid!.id)).status, 404)
  assert.is((await post(cookie, asked!.id)).status, 422)
  for (const unknown of ['x', '\u0000', crypto.randomUUID()]) assert.is((await post(cookie, unknown)).status, 404)
  assert.equal(contentOf(await post(cookie, paid!.id)), [201, { reported: true }])
  assert.is((await post(cookie, paid!.id)).status, 201)
  const plain = await form(t, path, device, { action: 'report', message: asked!.id })
  assert.equal(redirectOf(plain), [303, `${path}?hecho=denunciado`])
  assert.match((await call(server, `${path}?hecho=denunciado`, { cookie: device })).body, 'Gracias por avisar')
  assert.is((await form(t, api, device, { message: asked!.id })).status, 303)

  const queue = '/admin?tab=denuncias&clase=mensaje'
  for (const reader of [undefined, cookie]) assert.is((await call(server, queue, { cookie: reader })).status, 404)
  const page = await call(server, queue, { cookie: admin })
  assert.is(page.headers.get('cache-control'), 'no-store')
  assertMatches(page.body, 'Paga 100 euros', '¿Dónde está? &lt;i&gt;', `/usuario/${ana.id}`)
  const actions = [...page.body.matchAll(/action="(\/api\/admin\/reviews\/[^"]+)"/g)].map(([, action]) => action!)
  assert.is(actions.length, 2)
  for (const action of actions)
    assert.is((await form(t, action, admin, { kind: 'contact-message', decision: 'keep' })).status, 303)
  assert.match((await call(server, queue, { cookie: admin })).body, 'No hay ninguno.')
})

reported(
  'thirty reports an hour are taken of one reader, and others go on',
  async ({ server, threadId, cookie, device }) => {
    const post = (reader: string) =>
      call(server, `/api/messages/${threadId}/report`, {
        method: 'POST',
        cookie: reader,
        json: { message: crypto.randomUUID() },
      })
    let answer = await post(cookie)
    for (let n = 1; answer.status === 404; n++) {
      assert.ok(n <= 30, String(n))
      answer = await post(cookie)
    }
    assert.is(answer.status, 429)
    assert.is(answer.body.detail, 'Has denunciado muchos mensajes seguidos. Espera un rato, por favor.')
    assert.is((await post(device)).status, 404)
  },
)
