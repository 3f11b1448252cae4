import { deleteAccount } from '#features/account/erase.server.ts'
import { sessionCookieName } from '#features/auth/auth.ts'
import { createSession, endSession } from '#features/auth/sessions/sessions.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { isPostgresRun } from '#tests/support/db.ts'
import { dog, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { startServer } from '#tests/support/server.ts'
import { assert, call, type Db, type Dog, serverDbSuite, type ServerDbWorld } from '#tests/support/suites.ts'

// Pages that are rendered once for all members: nobody gets anything of another's, and each gets what their own render has.

const MEMBERS = 20
const REFUSAL_HEADERS = ['content-security-policy', 'x-content-type-options', 'retry-after', 'cache-control']
const ADMIN = 'admin@ejemplo.es'
const TOKEN = 'shared-pages-metrics'

interface Reader extends CurrentUser {
  token: string
  cookie: string
}
interface Context extends ServerDbWorld {
  readers: Reader[]
  dogs: Dog[]
}

const shared = serverDbSuite<Context>('api/members/shared-pages', { ADMIN_EMAIL: ADMIN, METRICS_TOKEN: TOKEN })

async function signIn(db: Db, user: CurrentUser): Promise<Reader> {
  const { token } = await createSession(db, user.id)
  return { ...user, token, cookie: `${sessionCookieName(false)}=${token}` }
}

shared.before(async (t) => {
  t.readers = []
  t.dogs = []
  for (let n = 0; n < MEMBERS; n++) {
    const alias = n % 5 === 0 ? `A${n} & "b" <i>'` : `Lectora ${n}`
    const email = n === MEMBERS - 1 ? ADMIN : `lectora${n}@ejemplo.es`
    const [user, own] = await seed(
      t.db,
      member({ alias, email, emoji: n % 2 ? '🦊' : '👩‍👩‍👧‍👧' }),
      dog({ breed: 'Beagle', name: `Perro${n}` }),
    )
    t.readers.push(await signIn(t.db, user))
    t.dogs.push(own)
  }
  for (const [n, reader] of t.readers.entries())
    for (let i = 1; i <= n % 4; i++) await like(t, reader, t.dogs[(n + i) % MEMBERS]!)
  for (const n of [1, 2, 3]) await comment(t, t.readers[n]!, t.dogs[0]!, `Comentario de ${n}`)
  await call(t.server, `/api/blocks/${t.readers[1]!.id}`, { method: 'PUT', cookie: t.readers[4]!.cookie })
})

async function like({ server }: Context, { cookie }: Reader, { id }: Dog, method = 'PUT'): Promise<void> {
  assert.is((await call(server, `/api/dogs/${id}/like`, { method, cookie })).status, 200)
}

async function comment({ server }: Context, { cookie }: Reader, { id }: Dog, content: string): Promise<string> {
  const { status, body } = await call(server, `/api/dogs/${id}/comments`, { method: 'POST', cookie, json: { content } })
  assert.is(status, 201)
  return body.comment.id
}

/**
 * A page, unpacked. An island's number is derived from its properties, of which a slot is another one than the text in it; the
 * stream's position may be of a moment before. */
async function read({ server }: Context, path: string, cookie: string): Promise<string> {
  const { status, body } = await call(server, path, { cookie })
  assert.is(status, 200, path)
  return String(body)
    .replace(/(<astro-island uid=)"[^"]*"/g, '$1""')
    .replace(/ data-live="\d+"/, '')
}
/** The page as Astro renders it for this reader: a parameter that the page does not know leads past what is shared. */
const readRendered = (t: Context, path: string, cookie: string) => read(t, `${path}?directo=1`, cookie)

/** On PostgreSQL nothing is kept for a single member. */
const onSqlite = isPostgresRun ? shared.skip : shared

const pagesOf = ({ dogs }: Context) => ['/', '/perros', '/razas/beagle', ...dogs.slice(0, 6).map(({ path }) => path)]

shared('every page of every member is byte for byte what is rendered for them alone', async (t) => {
  for (const path of pagesOf(t))
    for (const { cookie, alias } of t.readers) {
      assert.is(await read(t, path, cookie), await readRendered(t, path, cookie), `${path} for ${alias}`)
    }
})

shared('no page holds anything of another reader', async (t) => {
  const [own] = t.readers
  for (const path of ['/', '/perros', '/razas/beagle']) {
    const text = await read(t, path, own!.cookie)
    for (const { email, id } of t.readers.slice(1)) {
      assert.not.match(text, email ?? '-')
      assert.not.ok(text.includes(`data-member="${id}"`))
    }
    assert.match(text, own!.email ?? '-')
  }
})

shared('pages are the same for a member with any answer’s encoding, and HEAD has no body', async (t) => {
  const { cookie } = t.readers[6]!
  const headersOf = async (method: string, encoding: string) =>
    (await fetch(`${t.server.url}/perros`, { method, headers: { Cookie: cookie, 'Accept-Encoding': encoding } }))
      .headers
  for (const encoding of ['gzip', 'br', 'gzip;q=0', 'br, gzip;q=0', 'br, x-gzip', 'identity', 'zstd', '*']) {
    const response = await fetch(`${t.server.url}/perros`, { headers: { Cookie: cookie, 'Accept-Encoding': encoding } })
    assert.match(await response.text(), 'Lectora 6', encoding)
    const sent = response.headers.get('content-encoding')
    assert.ok(sent === null || encoding.includes(sent) || encoding === '*', `${encoding}: ${sent}`)
    if (encoding.includes('gzip;q=0')) assert.is.not(sent, 'gzip', encoding)
  }
  for (const encoding of ['br', 'gzip', 'identity']) {
    const [get, head] = [await headersOf('GET', encoding), await headersOf('HEAD', encoding)]
    assert.is(head.get('content-length'), get.get('content-length'), encoding)
  }
  const get = await headersOf('GET', 'gzip')
  const head = await headersOf('HEAD', 'gzip')
  for (const name of ['content-type', 'cache-control', 'vary', 'etag', 'perrario-session', 'content-security-policy'])
    assert.is(head.get(name), get.get(name), name)
  assert.equal([get.get('cache-control'), get.get('perrario-session')], ['private, no-cache', 'member'])
  assert.match(get.get('vary') ?? '', 'Cookie')
})

shared('a browser that has the page gets 304, another member does not', async (t) => {
  const [ana, bea] = [t.readers[7]!, t.readers[8]!]
  const etagOf = async (cookie: string) => (await call(t.server, '/razas/beagle', { cookie })).headers.get('etag') ?? ''
  const ask = async (cookie: string, etag: string) =>
    (await call(t.server, '/razas/beagle', { cookie, headers: { 'If-None-Match': etag } })).status
  const etag = await etagOf(ana.cookie)
  assert.is(await ask(ana.cookie, etag), 304)
  assert.is(await ask(bea.cookie, etag), 200)
  await like(t, ana, t.dogs[19]!)
  assert.is(await ask(ana.cookie, etag), 200)
})

shared('who writes sees it at the next request', async (t) => {
  const ana = t.readers[9]!
  const liked = t.dogs[15]!
  const readHeart = async (path: string) =>
    new RegExp(`data-like="${liked.id}" data-likes="(\\d+)" aria-pressed="(\\w+)"`)
      .exec(await read(t, path, ana.cookie))
      ?.slice(1)
  for (const path of ['/perros', '/razas/beagle', liked.path]) {
    const before = await readHeart(path)
    if (before) assert.is(before[1], 'false', path)
  }
  const [before = ''] = (await readHeart(liked.path)) ?? []
  await like(t, ana, liked)
  const [count] = (await readHeart(liked.path)) ?? []
  assert.is(count, String(Number(before) + 1))
  assert.is((await readHeart(liked.path))?.[1], 'true')
  assert.is((await readHeart('/perros'))?.[1], 'true')
  await like(t, ana, liked, 'DELETE')
  assert.is((await readHeart(liked.path))?.[1], 'false')
  await comment(t, ana, liked, 'Lo he escrito ahora mismo')
  assert.match(await read(t, liked.path, ana.cookie), 'Lo he escrito ahora mismo')
})

shared('others see a like and a comment within a second, and what is deleted is gone at once', async (t) => {
  const [ana, bea] = [t.readers[10]!, t.readers[11]!]
  const target = t.dogs[16]!
  await read(t, target.path, bea.cookie)
  const id = await comment(t, ana, target, 'Canario que se borra')
  const seen = async () => (await read(t, target.path, bea.cookie)).includes('Canario que se borra')
  const until = Date.now() + 5000
  while (!(await seen()) && Date.now() < until) await new Promise((done) => setTimeout(done, 50))
  assert.ok(await seen())
  assert.is((await call(t.server, `/api/comments/${id}`, { method: 'DELETE', cookie: ana.cookie })).status, 204)
  assert.not.ok(await seen())
})

/** Shared pages sent so far. */
async function countShared({ server }: Context): Promise<number> {
  const { body } = await call(server, '/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } })
  return Number(/^perrario_page_cache_total\{store="members",event="hits"\} (\d+)/m.exec(String(body))?.[1])
}

onSqlite('who comments on a dog or likes it shares its page, and finds their own comment to delete', async (t) => {
  const [ana, bea] = [t.readers[17]!, t.readers[18]!]
  const target = t.dogs[7]!
  const id = await comment(t, ana, target, 'De Ana')
  await like(t, bea, target)
  const before = await countShared(t)
  const ownOf = async ({ cookie }: Reader) =>
    new RegExp(`data-comment="${id}" data-by="${ana.id}" data-own="(\\d)"`).exec(
      await read(t, target.path, cookie),
    )?.[1]
  assert.is(await ownOf(ana), '1')
  assert.is(await ownOf(bea), '0')
  assert.is(await countShared(t), before + 2)
  for (const { cookie } of [ana, bea])
    assert.is(await read(t, target.path, cookie), await readRendered(t, target.path, cookie))
})

shared('a session that is over shows a visitor’s page at the next request, however it ended', async (t) => {
  const isMember = async (cookie: string) => {
    const { body, headers } = await call(t.server, '/perros', { cookie })
    assert.is(headers.get('perrario-session') === 'member', String(body).includes('Cerrar sesión'))
    return headers.get('perrario-session') === 'member'
  }
  const [closed, elsewhere, deleted] = [t.readers[12]!, t.readers[13]!, t.readers[14]!]
  for (const { cookie } of [closed, elsewhere, deleted]) assert.ok(await isMember(cookie))
  await call(t.server, '/api/auth/sign-out', { method: 'POST', cookie: closed.cookie })
  await endSession(t.db, elsewhere.token)
  await deleteAccount(t.db, t.server.dataDir, withRecentSignIn(deleted), { dogs: 'keep', alias: deleted.alias })
  for (const { cookie } of [closed, elsewhere, deleted]) assert.not.ok(await isMember(cookie))
})

shared('cookies that open no session get a visitor’s page and are removed', async ({ server, readers }) => {
  const name = sessionCookieName(false)
  const cookies = [
    `${name}=`,
    `${name}=caducada`,
    `${name}=${'x'.repeat(32)}`,
    `${name}=${'y'.repeat(4000)}`,
    `${name}=ñ%00`,
  ]
  for (const cookie of cookies) {
    const { status, body, headers } = await call(server, '/perros', { cookie: encodeURI(cookie) })
    assert.is(status, 200, cookie)
    assert.match(body, 'Iniciar sesión')
    assert.is(headers.get('perrario-session'), 'none')
  }
  const { headers } = await call(server, '/perros', { cookie: `${name}=${'x'.repeat(32)}` })
  assert.match(headers.get('set-cookie') ?? '', /^perrario=; Path=\/; Expires=Thu, 01 Jan 1970/)
  assert.match(headers.get('cache-control') ?? '', 'private')
  // Two sessions: whichever Astro takes, and no page of both.
  const { body } = await call(server, '/perros', { cookie: `${readers[2]!.cookie}; ${readers[3]!.cookie}` })
  assert.not.ok(body.includes(readers[2]!.email) && body.includes(readers[3]!.email))
})

shared('a block takes the other out of sight at the next request', async (t) => {
  const [ana, bea] = [t.readers[15]!, t.readers[16]!]
  const target = t.dogs[5]!
  await comment(t, bea, target, 'Palabras de quien será bloqueada')
  assert.match(await readRendered(t, target.path, ana.cookie), 'Palabras de quien será bloqueada')
  await read(t, target.path, ana.cookie)
  const { status } = await call(t.server, `/api/blocks/${bea.id}`, { method: 'PUT', cookie: ana.cookie })
  assert.ok(status < 300, String(status))
  assert.not.match(await read(t, target.path, ana.cookie), 'Palabras de quien será bloqueada')
})

shared('a name that changes is in the frame at the next request', async (t) => {
  const ana = t.readers[17]!
  await read(t, '/perros', ana.cookie)
  const json = { alias: 'Nombre nuevo', emoji: '🐱' }
  assert.is((await call(t.server, '/api/profile', { method: 'PUT', cookie: ana.cookie, json })).status, 200)
  assert.match(await read(t, '/perros', ana.cookie), 'Bienvenido, Nombre nuevo')
})

shared('what refuses a page to a member has the headers of all refusals, shared or their own', async () => {
  const limited = await startServer({ RENDERS_PER_MINUTE: '3' })
  const own = openServerDatabase(limited)
  try {
    const [ana, ...dogs] = await seed(own, member(), ...Array.from({ length: 6 }, () => dog()))
    const reader = await signIn(own, ana)
    const [eva] = await seed(own, member())
    const other = await signIn(own, eva)
    const shared = dogs.map(({ path }) => path)
    const ownPages = ['/perfil', '/perfil/cuenta', '/notificaciones', '/comunidad', '/razas', '/perfil?tab=razas']
    for (const [cookie, paths] of [
      [reader.cookie, shared],
      [other.cookie, shared],
      [other.cookie, ownPages],
      ['', shared],
    ] as const) {
      const refusals: Record<string, string | null>[] = []
      for (const path of paths) {
        const { status, headers } = await call(limited, path, { cookie })
        if (status === 429) refusals.push(Object.fromEntries(REFUSAL_HEADERS.map((name) => [name, headers.get(name)])))
      }
      assert.ok(refusals.length > 2, paths[0])
      for (const refusal of refusals) assert.not.ok(Object.values(refusal).includes(null), JSON.stringify(refusal))
    }
  } finally {
    await own.destroy()
    await limited.dispose()
  }
})
