import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLikeHandler } from '#app/like-handler.ts'
import type { Db } from '#db/client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

// What is answered without Astro, and what is left to it: whatever its middleware would treat in another way.

interface World {
  db: Db
  server: Server
  ana: CurrentUser
  toby: Dog
  send: (method: string, path: string, init?: RequestInit) => Promise<[status: number, body: string]>
}
const handler = suite<World>('unit/app/like-handler')

const SITE = 'https://perrario.example'
const LEFT = [299, 'left to Astro'] as const

handler.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana, t.toby] = await seed(t.db, member(), dog())
  const findMember = (cookies?: string) => {
    if (cookies === 'session=ana') return t.ana.id
    if (cookies === 'session=ana-looked-up') return Promise.resolve(t.ana.id)
    if (cookies === 'session=unavailable') return Promise.reject(new Error('PostgreSQL is unavailable'))
    return cookies === 'session=unknown' ? Promise.resolve(undefined) : undefined
  }
  const env = { siteUrl: SITE, rendersPerMinute: 100 }
  const handle = createLikeHandler({ db: t.db, env, findMember, changes: undefined })
  t.server = createServer((req, res) => handle(req, res, () => res.writeHead(LEFT[0]).end(LEFT[1])))
  await once(t.server.listen(0, '127.0.0.1'), 'listening')
  const { port } = t.server.address() as AddressInfo
  t.send = async (method, path, { headers, ...init } = {}) => {
    const cookie = { Cookie: 'session=ana' }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...cookie, ...(headers as Record<string, string>) },
      ...init,
    })
    return [response.status, await response.text()]
  }
})
handler.after.each(async (t) => {
  t.server.closeAllConnections()
  t.server.close()
  await t.db.destroy()
})

handler('a member’s likes and unlikes are answered', async ({ send, toby }) => {
  const path = `/api/dogs/${toby.id}/like`
  assert.equal(await send('PUT', path), [200, '{"liked":true,"likes":1}'])
  assert.equal(await send('PUT', path, { headers: { Origin: SITE } }), [200, '{"liked":true,"likes":1}'])
  assert.equal(await send('DELETE', path, { headers: { 'Sec-Fetch-Site': 'same-origin' } }), [
    200,
    '{"liked":false,"likes":0}',
  ])
})

handler('a like of a member whose session is looked up is answered', async ({ send, toby }) => {
  const headers = { Cookie: 'session=ana-looked-up' }
  assert.equal(await send('PUT', `/api/dogs/${toby.id}/like`, { headers }), [200, '{"liked":true,"likes":1}'])
})

const LEFT_TO_ASTRO: Record<string, [method: string, path: (id: string) => string, init?: RequestInit]> = {
  'another method': ['POST', (id) => `/api/dogs/${id}/like`],
  'a read': ['GET', (id) => `/api/dogs/${id}/like`],
  'another address': ['PUT', (id) => `/api/dogs/${id}/likes`],
  'an address with a query': ['PUT', (id) => `/api/dogs/${id}/like?x`],
  'an id that is none': ['PUT', () => '/api/dogs/toby/like'],
  'a body': ['PUT', (id) => `/api/dogs/${id}/like`, { body: '{}' }],
  'another origin': ['PUT', (id) => `/api/dogs/${id}/like`, { headers: { Origin: 'https://otro.example' } }],
  'another site': ['PUT', (id) => `/api/dogs/${id}/like`, { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
  'nobody’s session': ['PUT', (id) => `/api/dogs/${id}/like`, { headers: { Cookie: 'session=bea' } }],
  'a session that is looked up in vain': [
    'PUT',
    (id) => `/api/dogs/${id}/like`,
    { headers: { Cookie: 'session=unknown' } },
  ],
  'a session that cannot be looked up': [
    'PUT',
    (id) => `/api/dogs/${id}/like`,
    { headers: { Cookie: 'session=unavailable' } },
  ],
}
for (const [name, [method, path, init]] of Object.entries(LEFT_TO_ASTRO))
  handler(`${name} is left to Astro, and nothing is written`, async ({ db, send, toby }) => {
    assert.equal(await send(method, path(toby.id), init), LEFT)
    assert.equal(await db.selectFrom('dog_likes').selectAll().execute(), [])
  })

handler('a member whose calls are used up is refused', async ({ send, toby }) => {
  const path = `/api/dogs/${toby.id}/like`
  const statuses = new Set<number>()
  for (let i = 0; i < 1201; i += 40)
    for (const [status] of await Promise.all(Array.from({ length: 40 }, () => send('PUT', path)))) statuses.add(status)
  assert.equal(statuses, new Set([200, 429]))
})

handler.run()
