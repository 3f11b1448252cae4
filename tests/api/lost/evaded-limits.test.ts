import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { dog, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface Context {
  server: TestServer
  ana: TestMember
}
const evaded = suite<Context>('api/lost/evaded-limits')
evaded.before(async (t) => {
  t.server = await startServer({ SITE_URL: 'http://perrario.example', TRUST_PROXY: '1' })
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
})
evaded.after(({ server }) => server.dispose())

const addLostDog = ({ server, ana }: Context) =>
  withDatabase(server, async (db) => {
    const [{ id }] = await seed(db, dog({ owner_id: ana.id }))
    await addLostCase(db, { dog_id: id, owner_id: ana.id })
    return id
  })

evaded('a change whose body arrives after the end of the case opens no other', async (t) => {
  const { server, ana } = t
  const id = await addLostDog(t)
  const json = JSON.stringify({ since: Date.now() - 60_000, zone: 'Getafe' })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(new TextEncoder().encode(text))
  const changed = fetch(`${server.url}/api/dogs/${id}/lost`, {
    method: 'PUT',
    headers: { Cookie: ana.cookie, 'Content-Type': 'application/json' },
    body: readable,
    duplex: 'half',
  } as RequestInit)
  await write(json.slice(0, 10))
  // The rights are checked before the body is read.
  await new Promise((done) => setTimeout(done, 500))
  const ended = { method: 'DELETE', cookie: ana.cookie, json: { ending: 'other' } }
  assert.is((await call(server, `/api/dogs/${id}/lost`, ended)).status, 204)
  await write(json.slice(10))
  await writer.close()
  assert.is((await changed).status, 404)
})

evaded(
  'all networks of one IPv6 site send few sightings of a dog, so that there is room for those of others',
  async (t) => {
    const id = await addLostDog(t)
    const send = async (address: string) => {
      const options = { method: 'POST', form: formOf({ zone: 'Getafe' }), headers: { 'X-Forwarded-For': address } }
      return (await call(t.server, `/api/dogs/${id}/sightings`, options)).status
    }
    const statuses: number[] = []
    for (let n = 1; n <= 11; n++) statuses.push(await send(`2001:db8:7:${n}::1`))
    assert.equal(statuses, [...Array<number>(10).fill(201), 429])
    assert.is(await send('2001:db8:8:1::1'), 201)
  },
)

evaded("the owner's page judges no more sightings in an hour than the endpoint", async (t) => {
  const { server, ana } = t
  const id = await addLostDog(t)
  const body = new URLSearchParams({ id: crypto.randomUUID(), action: 'refuse' })
  const judge = async () =>
    (await call(server, `/perdidos/${id}/avistamientos`, { method: 'POST', cookie: ana.cookie, body })).status
  const statuses: number[] = []
  for (let n = 0; n < 310; n += 10) statuses.push(...(await Promise.all(Array.from({ length: 10 }, judge))))
  assert.is(statuses.filter((status) => status !== 429).length, 300)
})

evaded.run()
