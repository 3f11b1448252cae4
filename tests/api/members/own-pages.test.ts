import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { STALE_MAX_MS } from '#app/member-pages/member-page.ts'
import { RECENT_AUTH_MINUTES } from '#features/auth/auth.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { call } from '#tests/support/api.ts'
import {
  type AddedDog,
  addDog,
  DATA,
  type OwnPagesWorld,
  pagesOf,
  send,
  uncached,
} from '#tests/support/members-pages/own-pages-world.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { withDatabase } from '#tests/support/seed.ts'
import { isWholeRun } from '#tests/support/sample.ts'
import { startServer } from '#tests/support/server.ts'

// Pages that members share: after every kind of write, each is what Astro would render now for that member.

const ADMIN = 'admin@ejemplo.es'
const DIGEST_TOKEN = 'd'.repeat(43)

interface Context extends OwnPagesWorld {
  eva: TestMember
  admin: TestMember
}

const own = suite<Context>('api/members/own-pages')

own.before(async (t) => {
  // A whole run asks for more pages in a minute than a network may have rendered.
  t.server = await startServer({ ADMIN_EMAIL: ADMIN, RENDERS_PER_MINUTE: '0' })
  const names = ['ana', 'bea', 'eva'] as const
  for (const name of names) t[name] = await signInMember(t.server, `${name}@ejemplo.es`)
  t.admin = await signInMember(t.server, ADMIN)
  t.toby = await addDog(t, t.ana, 'Toby')
  t.luna = await addDog(t, t.bea, 'Luna', 'discoverer')
  const digest = { user_id: t.bea.id, token: DIGEST_TOKEN, week: null, sent_at: null }
  await withDatabase(t.server, (db) => db.insertInto('digests').values(digest).execute())
})
own.after((t) => t.server.dispose())

/** The admin's decision about something that Eva reports first. */
async function decide(t: Context, kind: string, id: string, deed: string, fields: object = {}) {
  const findCase = () =>
    withDatabase(t.server, (db) =>
      db
        .selectFrom('cases')
        .select(['id', 'edited_at as version'])
        .where('thing_id', '=', id)
        .orderBy('created_at', 'desc')
        .executeTakeFirst(),
    )
  if (!(await findCase())) await send(t, t.eva, 'POST', '/api/reports', { kind, id, reason: 'spam', words: '' })
  const found = (await findCase())!
  const json = { deed, reason: 'Un motivo.', days: null, version: found.version, ...fields }
  await send(t, t.admin, 'POST', `/api/admin/cases/${found.id}`, json)
}

async function read({ server }: Context, path: string, cookie: string): Promise<string> {
  const { status, body } = await call(server, path, { cookie })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return `${status} ${text}`
    .replace(/(<astro-island uid=)"[^"]*"/g, '$1""')
    .replace(/ data-live="\d+"/, '')
    .replace(/(name="clave" value=)"[^"]*"/g, '$1""')
}

/** So many pages are read after each write, others each time; all in a whole run. */
const PAGES_AFTER_A_WRITE = 6

function pagesToRead(t: Context, turn: number): readonly string[] {
  const pages = pagesOf(t)
  if (isWholeRun) return pages
  const first = (turn * PAGES_AFTER_A_WRITE) % pages.length
  return [...pages, ...pages].slice(first, first + PAGES_AFTER_A_WRITE)
}

async function assertCurrent(t: Context, after: string, turn: number): Promise<void> {
  for (const [name, { cookie }] of Object.entries({ ana: t.ana, bea: t.bea, eva: t.eva }))
    await Promise.all(
      pagesToRead(t, turn).map(async (path) => {
        const readBoth = () => Promise.all([read(t, path, cookie), read(t, uncached(path), cookie)])
        let [kept, current] = await readBoth()
        // Another member's like or comment may show a moment later.
        if (kept !== current) {
          await wait(STALE_MAX_MS)
          ;[kept, current] = await readBoth()
        }
        assert.is(kept, current, `${path} for ${name} after ${after}`)
        assert.not.match(kept, /^(?:429|5)/, `${path} for ${name} after ${after}`)
      }),
    )
}

const like = (t: Context, who: TestMember, dog: AddedDog, method = 'PUT') =>
  send(t, who, method, `/api/dogs/${dog.id}/like`)
const comments: Record<string, string> = {}
async function comment(t: Context, who: TestMember, { id }: AddedDog, content: string) {
  const { comment: written } = await send(t, who, 'POST', `/api/dogs/${id}/comments`, { content })
  comments[content] = written.id
}

const WRITES: Record<string, (t: Context) => Promise<unknown>> = {
  'a first look': async () => {},
  'a like': (t) => like(t, t.bea, t.toby),
  'a like of somebody else': (t) => like(t, t.eva, t.toby),
  'a like taken back': (t) => like(t, t.bea, t.toby, 'DELETE'),
  'a comment': (t) => comment(t, t.bea, t.toby, '¡Qué orejas!'),
  'a comment that the moderator is asked about': (t) =>
    comment(t, t.bea, t.toby, 'Vendo cachorros, llama al 600 000 000'),
  'notifications read': (t) => send(t, t.ana, 'POST', '/api/notifications/read-all'),
  'a comment deleted': (t) => send(t, t.bea, 'DELETE', `/api/comments/${comments['¡Qué orejas!']}`),
  'another alias': (t) => send(t, t.bea, 'PUT', '/api/profile', { alias: 'Bea la nueva', emoji: '🦊' }),
  'a dog added': (t) => addDog(t, t.bea, 'Rayo'),
  'a dog edited': (t) => send(t, t.ana, 'PATCH', `/api/dogs/${t.toby.id}`, { description: 'Le gusta el mar.' }),
  'a home zone chosen': (t) => send(t, t.ana, 'PUT', '/api/profile/home-zone', { zone: 'Getafe', alert: 10 }),
  'a missing breed seen there': (t) => addDog(t, t.bea, 'Trufa', 'owner', { breed: 'Akita Inu', zone: 'Getafe' }),
  'a home zone forgotten': (t) => send(t, t.ana, 'DELETE', '/api/profile/home-zone'),
  'a request for a dog': (t) => send(t, t.ana, 'POST', `/api/dogs/${t.luna.id}/ownership`),
  'a request granted': (t) => send(t, t.bea, 'POST', `/api/dogs/${t.luna.id}/ownership/${t.ana.id}`, { accept: true }),
  'somebody followed': (t) => send(t, t.ana, 'PUT', `/api/follows/member/${t.bea.id}`),
  'somebody followed back': (t) => send(t, t.bea, 'PUT', `/api/follows/member/${t.ana.id}`),
  'a zone followed': (t) => send(t, t.bea, 'PUT', '/api/follows/zone/28'),
  'somebody no longer followed': (t) => send(t, t.ana, 'DELETE', `/api/follows/member/${t.bea.id}`),
  'a block': (t) => send(t, t.ana, 'PUT', `/api/blocks/${t.eva.id}`),
  'a block taken back': (t) => send(t, t.ana, 'DELETE', `/api/blocks/${t.eva.id}`),
  'the weekly mail stopped from the mail': async ({ server }) => {
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const path = `/api/digest/unsubscribe?token=${DIGEST_TOKEN}`
    assert.is((await call(server, path, { method: 'POST', body, headers })).status, 200)
  },
  'other notices': async (t) => {
    const preferences = await send(t, t.ana, 'GET', '/api/account/notices')
    const [name] = Object.entries(preferences).find(([, value]) => typeof value === 'boolean') ?? ['']
    await send(t, t.ana, 'PUT', '/api/account/notices', { ...preferences, [name]: !preferences[name] })
  },
  'a dog hidden by the admin': (t) => decide(t, 'dog', t.toby.id, 'hide'),
  'a dog shown again': (t) => decide(t, 'dog', t.toby.id, 'restore'),
  'a member banned': (t) => decide(t, 'profile', t.bea.id, 'ban', { member: t.bea.id }),
  'a ban lifted': (t) => decide(t, 'profile', t.bea.id, 'unban', { member: t.bea.id }),
  'a word of the admin': (t) =>
    send(t, t.admin, 'POST', `/api/admin/members/${t.bea.id}/word`, { content: 'Hola, Bea.' }),
  'a badge of the admin': (t) =>
    send(t, t.admin, 'PUT', `/api/admin/members/${t.bea.id}/verified`, { verified: true, alias: 'Bea la nueva' }),
  'a session opened elsewhere': async (t) => void (await signInMember(t.server, 'bea@ejemplo.es')),
  'the other sessions ended': (t) => send(t, t.bea, 'DELETE', '/api/account/sessions'),
  'a dog deleted': (t) => send(t, t.ana, 'DELETE', `/api/dogs/${t.luna.id}`),
}

own('after every kind of write each page of each member is what Astro would render now', async (t) => {
  for (const [turn, [name, write]] of Object.entries(WRITES).entries()) {
    await write(t)
    await assertCurrent(t, name, turn)
  }
})

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

own('what a recent sign-in may do is offered until its time is over', async (t) => {
  const leftMs = 2500
  await withDatabase(t.server, (db) =>
    db
      .updateTable('sessions')
      .set({ proved_at: Date.now() - RECENT_AUTH_MINUTES * MINUTE_MS + leftMs })
      .where('user_id', '=', t.ana.id)
      .execute(),
  )
  const isOffered = async () => (await read(t, '/perfil/cuenta', t.ana.cookie)).includes('href="/api/account/export"')
  const start = performance.now()
  const atFirst = [await isOffered(), await isOffered()]
  assert.equal(atFirst, [true, true])
  await wait(Math.max(0, leftMs + 500 - (performance.now() - start)))
  assert.is(await isOffered(), false)
})

own.run()
