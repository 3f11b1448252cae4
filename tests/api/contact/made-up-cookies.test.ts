import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { endLostCase } from '#features/lost/end-case.server.ts'
import type { LostEnding } from '#features/lost/lost.ts'
import { call } from '#tests/support/api.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import { answered, assert, type CurrentUser, type Db, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface World extends ServerWorld {
  db: Db
  ana: CurrentUser
}
const cookies = serverSuite<World>('api/contact/made-up-cookies')
cookies.before(async (t) => {
  ;[t.ana] = await seed(t.server.db, member({ alias: 'Ana' }))
})

/** What the page says to a device whose cookie names this id, with the dog's name taken out. */
async function textFor({ server }: World, id: string, secret = finderSecret().secret): Promise<string> {
  const { body } = await answered(200, call(server, '/mensajes', { cookie: `perrario-hallazgos=${id}~${secret}` }))
  return body
    .match(/<div class="empty[\s\S]*?<p[^>]*>([\s\S]*?)<\/p>/)![1]!
    .trim()
    .replace(/\bPerro\w+/, '(nombre)')
}

/** A dog of Ana's whose search has ended, or goes on. */
const lostDog = async ({ server, ana }: World, name: string, end?: { ending: LostEnding; thanks?: boolean }) => {
  const [{ id }] = await seed(server.db, dog({ name, owner_id: ana.id }))
  await addLostCase(server.db, { dogId: id, ownerId: ana.id })
  if (end) await endLostCase(server.db, ana, id, end.ending, end)
  return id
}

cookies(
  'a cookie that anybody writes does not tell a dog whose search has ended from one that never was lost',
  async (t) => {
    const [{ id: never }] = await seed(t.server.db, dog({ name: 'PerroNunca', owner_id: t.ana.id }))
    const told = await textFor(t, never)
    const ended = [
      await lostDog(t, 'PerroEncontrado', { ending: 'home' }),
      await lostDog(t, 'PerroSinRespuesta', { ending: 'other' }),
    ]
    for (const id of ended) assert.is(await textFor(t, id), told)
    // A month later, when the history is gone.
    await t.server.db.deleteFrom('lost_history').where('dog_id', 'in', ended).execute()
    for (const id of ended) assert.is(await textFor(t, id), told)
  },
)

cookies('it tells that a dog is at home where the page of the dog thanks everybody', async (t) => {
  const id = await lostDog(t, 'PerroEnCasa', { ending: 'home', thanks: true })
  assert.match(await textFor(t, id), 'Ya está en casa (nombre)')
  assert.match((await call(t.server, `/perro/${id}`)).body, '¡En casa!')
})

cookies('it names no dog that is lost, hidden or unknown, nor what is no dog', async (t) => {
  const hidden = await lostDog(t, 'PerroOculto', { ending: 'home', thanks: true })
  const hiddenWhileLost = await lostDog(t, 'PerroOcultoPerdido')
  for (const id of [hidden, hiddenWhileLost])
    await t.server.db.transaction().execute((trx) => hideDog(trx, id, 'admin' as never))
  const nothing = await textFor(t, crypto.randomUUID())
  const lost = await lostDog(t, 'PerroPerdido')
  for (const id of [hidden, hiddenWhileLost, lost, t.ana.id]) assert.is(await textFor(t, id), nothing)
  // A malformed cookie is none.
  for (const id of ['', 'x', '../..', "'"]) assert.is(await textFor(t, id), nothing)
  assert.is(await textFor(t, lost, 'corto'), nothing)
})
