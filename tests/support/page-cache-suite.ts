import { once } from 'node:events'
import { connect } from 'node:net'
import { call, formOf } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

export interface World {
  server: TestServer
  ana: TestMember
  dog: { id: string; path: string }
}
export const ADMIN = 'admin@ejemplo.es'
/** Adds a dog over HTTP. */
export const addDog = async (server: TestServer, cookie: string, fields: Record<string, string> = {}) => {
  const form = formOf({
    name: 'Toby',
    breed: 'Beagle',
    relationship: 'owner',
    ...fields,
    images: new Blob([await photo()]),
  })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', cookie, form })
  assert.is(status, 201)
  return body.dog as World['dog']
}

/** A suite over a server with one member and one dog. */
export function pageCacheSuite(name: string) {
  const cache = suite<World>(name)
  cache.before(async (t) => {
    t.server = await startServer({ ADMIN_EMAIL: ADMIN })
    t.ana = await signInMember(t.server)
    t.dog = await addDog(t.server, t.ana.cookie)
  })
  cache.after(({ server }) => server.dispose())
  return cache
}

/** Requests a page as a visitor. */
export const fetchPage = async (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  call(server, path, { headers })
/** Requests a page as Astro renders it now: two session cookies bypass the cache. */
export const fetchRendered = async (server: TestServer, path: string) =>
  (await call(server, path, { cookie: 'perrario=nadie; perrario=nadie' })).body as string

/** A request with headers that fetch refuses to send. */
export async function fetchRaw(server: TestServer, path: string, headers: Record<string, string>): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 200/)
  return text
}
