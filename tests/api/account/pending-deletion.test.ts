import { setTimeout as wait } from 'node:timers/promises'
import { DAY_MS } from '#lib/time.ts'
import { accountHelpers } from '#tests/support/account/account-helpers.ts'
import { type Answer, call } from '#tests/support/api.ts'
import { lastMailTo } from '#tests/support/outbox.ts'
import { answered, assert, assertMatches, assertProblem, signIn, startServer, suite } from '#tests/support/suites.ts'

// A deletion that waits seven days: the link, the sign-in, the end. What others see of it is in api/account/erasure-contract.

const server = await startServer({ TRUST_PROXY: '1' })
const { newMember, who, post, newDog } = accountHelpers(server)

const api = suite('api/account/pending-deletion')

const locationOf = ({ status, headers }: Answer) => [status, headers.get('location')]
const clear = ({ headers }: Answer) => headers.get('set-cookie')?.includes('perrario=deleted') ?? false
const remove = (cookie: string, json: object) => call(server, '/api/account', { method: 'DELETE', cookie, json })

/** A member with a dog who has asked for the deletion. */
async function newLeaving(dogs: 'delete' | 'keep' = 'delete') {
  const ana = await newMember()
  const { alias } = await who(ana.cookie)
  const toby = await newDog(ana.cookie)
  const asked = await remove(ana.cookie, { dogs, alias })
  assert.equal([asked.status, asked.body, clear(asked)], [204, undefined, true])
  return {
    ...ana,
    alias: alias as string,
    toby,
    token: new URL(lastMailTo(server.dataDir, ana.email).link).searchParams.get('token')!,
  }
}

/** Signs in by a mailed code, as any client does. */
async function signInByCode(email: string) {
  await call(server, '/api/auth/magic-link', { method: 'POST', json: { email } })
  const { code } = lastMailTo(server.dataDir, email)
  const answer = await call(server, '/api/auth/code', { method: 'POST', json: { email, code } })
  return { answer, cookie: answer.headers.get('set-cookie')!.split(';')[0]! }
}

const setProof = (id: string, proved_at: number) =>
  server.db.updateTable('sessions').set({ proved_at }).where('user_id', '=', id).execute()

api('the mailed link brings everything back, once, and only by its button', async () => {
  const { id, email, cookie, alias, toby, token } = await newLeaving()
  assert.is(await who(cookie), null)
  assert.is((await call(server, `/usuario/${id}`)).status, 404)
  assert.is((await call(server, toby.path)).status, 410)
  const mail = lastMailTo(server.dataDir, email)
  assert.match(mail.text, `Has pedido borrar la cuenta «${alias}» de Perrario.`)
  assert.match(mail.text, 'También puedes recuperarla entrando como siempre.')
  const { pathname, search } = new URL(mail.link)
  assert.is(pathname, '/recuperar')
  const page = await call(server, pathname + search)
  assert.equal([page.status, page.headers.get('cache-control')], [200, 'no-store'])
  assertMatches(page.body, 'Tu cuenta se borrará el ', 'Tus perros se borrarán con ella.')
  assert.is((await call(server, `/usuario/${id}`)).status, 404, 'looking undoes nothing')

  assert.equal(locationOf(await post('/api/account/restore', '', { token })), [303, '/recuperar?hecho=si'])
  assert.match((await call(server, '/recuperar?hecho=si')).body, 'Tu cuenta ha vuelto')
  assert.match((await call(server, `/usuario/${id}`)).body, alias)
  assert.is((await call(server, toby.path)).status, 200)
  assert.is((await who((await signIn(server, email)).cookie)).alias, alias)
  const events = await server.db.selectFrom('security_log').select('event').where('user_id', '=', id).execute()
  for (const event of ['deletion-requested', 'deletion-undone'])
    assert.ok(
      events.some((entry) => entry.event === event),
      event,
    )

  assert.equal(locationOf(await post('/api/account/restore', '', { token })), [303, `/recuperar?token=${token}`])
  const used = await answered(404, call(server, pathname + search))
  assert.match(used.body, 'la cuenta ya se recuperó o ya se ha borrado')
  const json = await call(server, '/api/account/restore', { method: 'POST', json: { token } })
  assertProblem(
    json,
    404,
    'Este enlace ya no sirve: la cuenta ya se recuperó o ya se ha borrado, o el enlace no está completo.',
  )
})

api('signing in leads to the choice and to nothing else, and «Recuperar mi cuenta» brings it back', async () => {
  const { id, email, alias, toby } = await newLeaving('keep')
  const kept = await call(server, `/api/dogs/${toby.id}`)
  assert.equal([kept.body.dog.owner_id, kept.body.dog.user_id], [null, null])
  const { answer, cookie } = await signInByCode(email)
  assert.is(answer.status, 200)
  assert.equal([answer.body.user, answer.body.deletion_due_at > Date.now() + 6 * DAY_MS], [null, true])
  const users = await server.db.selectFrom('users').select('id').where('email', '=', email).execute()
  assert.equal(users, [{ id }], 'no second account')

  assert.is(await who(cookie), null)
  for (const path of ['/perfil', '/login', '/login/codigo'])
    assert.equal(locationOf(await call(server, path, { cookie })), [302, '/recuperar'], path)
  assert.equal(locationOf(await call(server, '/perfil/cuenta', { cookie })), [302, '/login'])
  // The cache of visitors' pages leaves the session alone.
  for (const path of ['/', '/comunidad', toby.path]) assert.not.ok(clear(await call(server, path, { cookie })), path)
  assertProblem(await call(server, '/api/account/export', { cookie }), 401, 'Inicia sesión para continuar.')
  const comment = { method: 'POST', cookie, json: { content: 'Hola' } }
  assert.is((await call(server, `/api/dogs/${toby.id}/comments`, comment)).status, 401)
  assert.is((await remove(cookie, { dogs: 'keep', alias, now: true })).status, 401)

  const page = await call(server, '/recuperar', { cookie })
  assertMatches(page.body, 'Tu cuenta se borrará el ', 'Tus perros se quedan en el álbum sin tu nombre.')
  assert.match(page.body, 'Borrar ahora mismo')
  const back = await post('/api/account/restore', cookie)
  assert.equal([...locationOf(back), clear(back)], [303, '/recuperar?hecho=si', true])
  const session = (await signIn(server, email)).cookie
  assert.is((await who(session)).alias, alias)
  assert.is((await call(server, `/api/dogs/${toby.id}`)).body.dog.owner_id, id)
  // The other tab still shows the choice.
  assert.equal(locationOf(await post('/api/account/restore', session)), [303, '/login'])
  assert.equal(locationOf(await post('/api/account/erase', session)), [303, '/login'])
  assert.is((await who(session)).alias, alias)
  assert.is(await who(cookie), null, 'the session that could only choose has ended')
})

api('«Borrar ahora mismo» asks for a fresh proof and a second click', async () => {
  const { id, email } = await newLeaving()
  const { cookie } = await signInByCode(email)
  await setProof(id, 1)
  assert.match((await call(server, '/recuperar?borrar=si', { cookie })).body, 'Volver a entrar')
  const json = await call(server, '/api/account/erase', { method: 'POST', cookie })
  assert.equal([json.status, Object.keys(json.body.errors)], [403, ['code']])
  const sent = await post('/api/account/erase', cookie)
  assert.equal([...locationOf(sent), clear(sent)], [303, '/login', true])

  const again = await signInByCode(email)
  assert.match((await call(server, '/recuperar?borrar=si', { cookie: again.cookie })).body, 'No se puede deshacer.')
  const users = () => server.db.selectFrom('users').select('id').where('id', '=', id).execute()
  assert.is((await users()).length, 1)
  assert.equal(locationOf(await post('/api/account/erase', again.cookie)), [303, '/recuperar?hecho=borrada'])
  assert.equal(await users(), [])
  assert.match((await call(server, '/recuperar?hecho=borrada')).body, 'Tu cuenta se ha eliminado')
  assertProblem(
    await call(server, '/api/account/erase', { method: 'POST', cookie: again.cookie }),
    401,
    'Inicia sesión para continuar.',
  )
})

api('asked twice it is recorded once; alias and address stay taken', async () => {
  const ana = await newMember()
  const other = await newMember()
  const { alias } = await who(ana.cookie)
  const both = await Promise.all([1, 2].map(() => remove(ana.cookie, { dogs: 'keep', alias })))
  assert.equal(both.map(({ status }) => status).toSorted(), [204, 401])
  const rename = { method: 'PUT', cookie: other.cookie, json: { alias, emoji: '🐶' } }
  assert.is((await call(server, '/api/profile', rename)).status, 422)
  const taken = { method: 'POST', cookie: other.cookie, json: { email: ana.email } }
  assert.is((await call(server, '/api/account/email', taken)).status, 202)
  assert.match(lastMailTo(server.dataDir, ana.email).text, 'con ella ya entras en la tuya')
})

api('`now` must be true or false, and the form without script leads to what comes next', async () => {
  const { cookie } = await newMember()
  const { alias } = await who(cookie)
  assertProblem(await remove(cookie, { dogs: 'keep', alias, now: 'pronto' }), 422, 'Elige cuándo borramos tu cuenta.', {
    now: 'Elige cuándo borramos tu cuenta.',
  })
  assert.ok(await who(cookie))
  const sent = await post('/api/account', cookie, { dogs: 'keep', alias, now: 'no' })
  assert.equal(locationOf(sent), [303, '/recuperar?hecho=pedido'])
  assert.match((await call(server, '/recuperar?hecho=pedido')).body, 'Tu cuenta se borrará en 7 días')
  assert.equal(locationOf(await call(server, '/recuperar')), [302, '/login'])
})

api('a due account is erased by the job, and its link says that it is too late', async () => {
  const { id, email, token } = await newLeaving()
  await server.db.updateTable('account_deletions').set({ due_at: 1 }).where('user_id', '=', id).execute()
  const { cookie } = await signInByCode(email)
  assert.match((await answered(410, call(server, `/recuperar?token=${token}`))).body, 'Han pasado los 7 días')
  assert.is((await call(server, '/recuperar', { cookie })).status, 410)
  assert.is((await call(server, '/api/account/restore', { method: 'POST', cookie, json: {} })).status, 410)
  await server.restart()
  const find = () => server.db.selectFrom('users').select('id').where('id', '=', id).execute()
  while ((await find()).length > 0) await wait(50)
  assert.is((await call(server, `/recuperar?token=${token}`)).status, 404)
})

api.after(() => server.dispose())
