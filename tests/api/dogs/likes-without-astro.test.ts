import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { call } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'

// A like that is answered without Astro says in every byte what Astro's endpoint says, which answers the same address with a query.

interface World {
  server: TestServer
  ana: TestMember
  /** Two dogs of each kind: one is liked in one way, the other in the other. */
  dogs: { free: [string, string]; blocked: [string, string] }
}
const likes = suite<World>('api/dogs/likes-without-astro')

likes.before(async (t) => {
  t.server = await startServer()
  t.ana = await signInMember(t.server)
  t.dogs = await withDatabase(t.server, async (db) => {
    const [, a, b, bea, c, d] = await seed(db, member(), dog(), dog(), member(), dog(), dog())
    await addBlock(db, bea, t.ana.id)
    return { free: [a.id, b.id], blocked: [c.id, d.id] }
  })
  // Her session is remembered from here on.
  await call(t.server, '/perros', { cookie: t.ana.cookie })
})
likes.after((t) => t.server.dispose())

/** Differ between any two answers. */
const OWN_HEADERS = ['date', 'server-timing', 'x-request-id']
/** The position of the write, on PostgreSQL, where Astro answers both. */
const POSITION_HEADERS = ['perrario-written', 'set-cookie']

async function send({ server, ana }: World, method: string, path: string) {
  const sent = request(server.url + path, { method, headers: { Cookie: ana.cookie } }).end()
  const [response] = await once(sent, 'response')
  const ignored = server.databaseUrl === undefined ? OWN_HEADERS : [...OWN_HEADERS, ...POSITION_HEADERS]
  const headers = Object.entries(response.headers as Record<string, string>).filter(([name]) => !ignored.includes(name))
  // Astro writes the names of headers in lower case.
  const isFromAstro = !response.rawHeaders.includes('Perrario-Session')
  return {
    answer: [response.statusCode, response.statusMessage, headers.toSorted(), await text(response)],
    isFromAstro,
  }
}

async function compare(world: World, method: string, [one, other]: readonly [string, string]): Promise<number> {
  const direct = await send(world, method, `/api/dogs/${one}/like`)
  const astro = await send(world, method, `/api/dogs/${other}/like?astro`)
  assert.equal(direct.answer, astro.answer)
  assert.is(direct.isFromAstro, world.server.databaseUrl !== undefined)
  assert.ok(astro.isFromAstro)
  return direct.answer[0] as number
}

likes('a like, a second one, an unlike and a second one', async (t) => {
  for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) assert.is(await compare(t, method, t.dogs.free), 200)
})

likes('a dog that there is not', async (t) => {
  for (const method of ['PUT', 'DELETE']) assert.is(await compare(t, method, [UNKNOWN_ID, UNKNOWN_ID]), 404)
})

likes('a block, and a ban', async (t) => {
  assert.is(await compare(t, 'PUT', t.dogs.blocked), 403)
  await withDatabase(t.server, (db) => ban(db, t.ana.id, { until: null, reason: 'spam' }))
  // Another process has written: nobody is remembered.
  await call(t.server, '/perros', { cookie: t.ana.cookie })
  assert.is(await compare(t, 'PUT', t.dogs.free), 403)
})

likes('a session that another process has ended opens nothing', async (t) => {
  await withDatabase(t.server, (db) => db.deleteFrom('sessions').execute())
  const { answer } = await send(t, 'DELETE', `/api/dogs/${t.dogs.free[0]}/like`)
  assert.is(answer[0], 401)
})

likes.run()
