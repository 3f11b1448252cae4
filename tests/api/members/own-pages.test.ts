import { setTimeout as wait } from 'node:timers/promises'
import { RECENT_AUTH_MINUTES } from '#features/auth/auth.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { type AddedDog, addDog, DATA, type OwnPagesWorld, send } from '#tests/support/members-pages/own-pages-world.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { assert, call, serverSuite, type ServerWorld, update } from '#tests/support/suites.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'

// A member's own pages are rendered at each request, and what they ask for has an ETag.

interface Context extends OwnPagesWorld, ServerWorld {
  eva: TestMember
  bea: TestMember
  /** Bea's. */
  passkey: string
}

const own = serverSuite<Context>('api/members/own-pages')

own.before(async (t) => {
  for (const name of ['ana', 'eva'] as const) t[name] = await signInMember(t.server, `${name}@ejemplo.es`)
  t.toby = await addDog(t, t.ana, 'Toby')
  await like(t, t.eva, t.toby)
})

const like = (t: Context, who: TestMember, dog: AddedDog, method = 'PUT') =>
  send(t, who, method, `/api/dogs/${dog.id}/like`)

own('what a page asks for is a 304 until it changes, and shows a like of another member at once', async (t) => {
  const ask = async (path: string, who: TestMember, etag = '') => {
    const headers = etag ? { 'If-None-Match': etag } : {}
    const answer = await fetch(t.server.url + path, { headers: { Cookie: who.cookie, ...headers } })
    const { status, headers: sent } = answer
    const body = status === 200 ? await answer.json() : null
    return { status, etag: sent.get('etag') ?? '', body, cache: sent.get('cache-control'), vary: sent.get('vary') }
  }
  for (const path of DATA) {
    await ask(path, t.ana)
    const known = await ask(path, t.ana)
    assert.equal([known.status, known.cache], [200, 'private, no-cache'], path)
    assert.match(known.vary ?? '', 'Cookie')
    assert.is((await ask(path, t.ana, known.etag)).status, 304, path)
    assert.is((await ask(path, t.eva, known.etag)).status, 200, path)
    assert.is((await call(t.server, path)).status, 401, path)
  }
  const before = await ask('/api/activity', t.ana)
  const countLikes = async () => (await ask('/api/activity', t.ana)).body.likes.length
  const count = before.body.likes.length
  await like(t, t.eva, t.toby, 'DELETE')
  assert.is(await countLikes(), count - 1)
  await like(t, t.eva, t.toby)
  assert.is(await countLikes(), count)
  assert.is((await ask('/api/activity', t.ana, before.etag)).status, 200)
  const { etag } = await ask('/api/likes', t.ana)
  await like(t, t.ana, t.toby)
  const changed = await ask('/api/likes', t.ana, etag)
  assert.equal([changed.status, changed.body.liked[0]], [200, t.toby.id])
  await like(t, t.ana, t.toby, 'DELETE')
})

own('pages with something of the account say that nobody stores them, and stay one reader’s', async (t) => {
  for (const path of ['/perfil', '/perfil/cuenta', '/notificaciones']) {
    const { headers, body } = await call(t.server, path, { cookie: t.ana.cookie })
    assert.is(headers.get('cache-control'), 'no-store', path)
    assert.is(headers.get('perrario-session'), 'member')
    assert.match(body, `data-member="${t.ana.id}"`)
    const visitor = await call(t.server, path, {})
    assert.not.match(String(visitor.body), t.ana.id)
    assert.is(visitor.headers.get('perrario-session'), 'none')
  }
})

own('what a recent sign-in may do needs no proof until its time is over', async (t) => {
  const leftMs = 2500
  await update(
    t.server.db,
    'sessions',
    { user_id: t.ana.id },
    { proved_at: Date.now() - RECENT_AUTH_MINUTES * MINUTE_MS + leftMs },
  )
  const isOffered = async () => {
    const { body } = await call(t.server, '/perfil/cuenta', { cookie: t.ana.cookie })
    return Number(/data-proved-until="(\d+)"/.exec(String(body))![1]) > Date.now()
  }
  const start = performance.now()
  assert.equal([await isOffered(), await isOffered()], [true, true])
  await wait(Math.max(0, leftMs + 500 - (performance.now() - start)))
  assert.is(await isOffered(), false)
  const exported = await call(t.server, '/api/account/export', { cookie: t.ana.cookie })
  assert.is.not(exported.status, 200, 'the export asks for the proof too')
})

// What a member changes of their ways in shows at once on the pages that are kept for them.
own.before(async (t) => {
  t.bea = await signInMember(t.server, 'bea@ejemplo.es')
  t.passkey = await addPasskeyRow(t.server.db, t.bea.id)
})

own('each change shows on the account’s page and the profile', async ({ server, bea: { cookie }, passkey }) => {
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
