import { setTimeout as sleep } from 'node:timers/promises'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { toAbout } from '#features/contact/relay/mail-wishes.server.ts'
import { openThread } from '#features/contact/threads.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { createCookie } from '#tests/support/erasure/world.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { answered, assert, call, contentOf, redirectOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface World extends ServerWorld {
  mail: MailServer
  ana: CurrentUser
  cookie: string
  caseId: string
  dogId: string
}
const address = serverSuite<World>('api/contact/finder-address', async (t) => {
  t.mail = await startMailServer()
  return { TRUST_PROXY: '1', SMTP_URL: t.mail.url, SITE_URL: 'http://perrario.ejemplo' }
})
address.before(async (t) => {
  const { db } = t.server
  const [ana, toby] = await seed(db, member({ alias: 'Anabel' }), dog({ name: 'Toby' }))
  t.ana = ana
  t.dogId = toby.id
  t.caseId = await addLostCase(db, { dogId: toby.id, ownerId: ana.id })
  t.cookie = await createCookie(db, ana.id)
})
address.after(({ mail }) => mail.close())

async function open({ server, ana, caseId }: World): Promise<{ id: string; device: string }> {
  const { secret, hash } = finderSecret()
  const { id } = await openThread(server.db, { lostCaseId: caseId, memberId: ana.id, finder: { secretHash: hash } })
  return { id, device: `perrario-hallazgos=${id}~${secret}` }
}
const act = ({ server }: World, path: string, cookie: string | undefined, fields: Record<string, string>, from = 1) =>
  call(server, path, {
    method: 'POST',
    cookie,
    fields,
    headers: { Origin: 'http://perrario.ejemplo', 'X-Forwarded-For': `198.51.100.${from}` },
  })
async function mailsTo({ mail }: World, to: string, count: number) {
  for (let i = 0; i < 100 && mail.mails.filter((each) => each.to === to).length < count; i++) await sleep(100)
  return mail.mails.filter((each) => each.to === to)
}
const linkIn = (raw: string) => /http:\/\/perrario\.ejemplo(\/mensajes\/confirmar\?token=[\w-]+)/.exec(raw)![1]!

address('who has sent a sighting without account is asked for one at its end', async (t) => {
  const path = `/perdidos/${t.dogId}/visto`
  const sent = await act(t, path, undefined, { zone: 'Getafe', ago: '30' })
  const cookie = sent.headers.get('set-cookie')!.split(';')[0]!
  assert.match((await call(t.server, `${path}?hecho=enviado`, { cookie })).body, `action="${path}?aviso=1"`)
  const [first, again] = [await act(t, `${path}?aviso=1`, cookie, {}), await act(t, `${path}?aviso=1`, cookie, {})]
  assert.is(first.status, 303, String(first.body).slice(0, 300))
  assert.is(again.headers.get('location'), first.headers.get('location'), 'one conversation')
  const [place = ''] = first.headers.get('location')!.split('#')
  assert.match((await call(t.server, place, { cookie })).body, 'Tu correo')
  assert.is((await call(t.server, place)).status, 404, 'another device')
  assert.is((await act(t, `${path}?aviso=1`, undefined, {})).status, 404)
  // It is the owner who begins: until then the finder cannot write, and the owner sees nothing of it.
  const wrote = await answered(409, act(t, place, cookie, { action: 'send', text: 'Paga por Bizum' }))
  assert.match(String(wrote.body), 'Cuando su familia te escriba')
  assert.not.match((await call(t.server, '/mensajes', { cookie: t.cookie })).body, place)
  const sighting = await t.server.db.selectFrom('sightings_all').select('id').executeTakeFirstOrThrow()
  assert.is(
    (await act(t, `/perdidos/${t.dogId}/avistamientos`, t.cookie, { id: sighting.id, action: 'write' })).status,
    303,
  )
  assert.is((await act(t, place, cookie, { action: 'send', text: 'Lo vi en el parque' })).status, 303)
  assert.match((await call(t.server, '/mensajes', { cookie: t.cookie })).body, place)
})

address('an address that a finder leaves is confirmed by a press, and shown to nobody', async (t) => {
  const { server, cookie } = t
  const { id, device } = await open(t)
  const path = `/mensajes/${id}`
  assert.match((await call(server, path, { cookie: device })).body, 'name="email"')
  // A member has an address; nobody types it.
  const own = (await call(server, path, { cookie })).body
  assert.match(own, 'Avísame por correo')
  assert.not.match(own, 'name="email"')
  assert.is((await act(t, path, device, { action: 'mail', email: 'sin arroba' })).status, 422)
  assert.is((await act(t, path, undefined, { action: 'mail', email: 'x@ejemplo.es' })).status, 404)
  const sent = await act(t, path, device, { action: 'mail', email: 'Quien@ejemplo.es' })
  assert.equal(redirectOf(sent), [303, `${path}?hecho=avisos#avisos`])
  const [mail] = await mailsTo(t, 'quien@ejemplo.es', 1)
  assert.match(mail!.raw, 'Toby')
  assert.not.match(mail!.raw, 'Anabel')
  const link = linkIn(mail!.raw)

  // A scanner follows the link.
  const page = await call(server, link)
  assert.equal([page.status, page.headers.get('referrer-policy')], [200, 'same-origin'])
  assert.match((await call(server, path, { cookie: device })).body, 'Te hemos enviado un enlace')
  const form = /action="(\/api\/message-mails\/confirm\?token=[\w-]+)"/.exec(page.body)![1]!
  assert.is((await act(t, form, undefined, { boton: 'si' })).status, 303)
  assert.match((await call(server, link)).body, 'te avisaremos por correo')
  const state = await call(server, path, { cookie: device })
  assert.match(state.body, 'No me avises más')
  for (const body of [state.body, (await call(server, path, { cookie })).body]) assert.not.match(body, /quien@ejemplo/i)
  for (const token of ['x', '%00', 'x'.repeat(32)])
    assert.is((await call(server, `/mensajes/confirmar?token=${token}`)).status, 404)

  const token = await issueSecret(server.db, 'message-mails', { about: toAbout(id, 'finder') }, Date.now())
  assert.equal(redirectOf(await call(server, `/mensajes/baja?token=${token}`)), [301, `/baja?token=${token}`])
  assert.match((await call(server, `/baja?token=${token}`)).body, '¿Ya no te avisamos?')
  const stopped = await act(t, `/api/message-mails/unsubscribe?token=${token}`, undefined, {
    'List-Unsubscribe': 'One-Click',
  })
  assert.equal(contentOf(stopped), [200, { unsubscribed: true }])
  assert.match((await call(server, `/baja?token=${token}`)).body, 'No te avisaremos más')
  assert.equal(await server.db.selectFrom('contact_mails').selectAll().execute(), [])
})

address('nobody fills a mailbox with links', async (t) => {
  const victim = 'victima@ejemplo.es'
  // From as many networks and conversations as they like: a mailbox is sent three.
  for (let from = 10; from < 15; from++) {
    const { id, device } = await open(t)
    assert.is(
      (await act(t, `/mensajes/${id}`, device, { action: 'mail', email: `victima+${from}@ejemplo.es` }, from)).status,
      303,
    )
  }
  await sleep(500)
  assert.is(t.mail.mails.filter(({ to }) => to.startsWith('victima')).length, 3, victim)
  // One network asks for five an hour, one conversation for four a day.
  const { id, device } = await open(t)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++)
    statuses.push(
      (await act(t, `/mensajes/${id}`, device, { action: 'mail', email: `otra${i}@ejemplo.es` }, 20)).status,
    )
  assert.equal(statuses, [303, 303, 303, 303, 429, 429])
})

address('a member asks for mails and takes it back', async (t) => {
  const { server, cookie } = t
  const { id } = await open(t)
  assert.is((await act(t, `/mensajes/${id}`, cookie, { action: 'mail' }, 30)).status, 303)
  assert.match((await call(server, `/mensajes/${id}`, { cookie })).body, 'Te escribimos cuando hay mensajes sin leer')
  assert.is((await act(t, `/mensajes/${id}`, cookie, { action: 'unmail' }, 30)).status, 303)
  assert.match((await call(server, `/mensajes/${id}`, { cookie })).body, 'value="mail"')
})
