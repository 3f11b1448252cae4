import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'
import { assert, type Db, dog, insert, listDriftedCounts, member, seed, suite } from '#tests/support/suites.ts'

// Writers over as many connections as a node has. SQLite's counts are in count-triggers.

const CONNECTIONS = 16

const counts = suite<{ db: Db }>('unit/db/concurrent-counts')
counts.before.each((t) => {
  t.db = freshPostgresDb({ maxConnections: CONNECTIONS })
})
counts.after.each(({ db }) => db.destroy())

const insertLike = (trx: Trx, dog_id: string, user_id: string) =>
  trx
    .insertInto('dog_likes_all')
    .values({ id: randomUUID(), dog_id, user_id, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
const addLike = (db: Db, dogId: string, userId: string) => transact(db, (trx) => insertLike(trx, dogId, userId))

counts('likes given and taken back over many connections are all counted', async ({ db }) => {
  const members = await seed(db, ...Array.from({ length: CONNECTIONS }, () => member()))
  const dogs = await seed(db, ...['Beagle', 'Bóxer', 'Beagle'].map((breed) => dog({ breed, owner_id: members[0]!.id })))
  await Promise.all(
    members.map(async ({ id }, index) => {
      for (let n = 0; n < 40; n++) {
        const { id: dogId } = dogs[(n + index) % dogs.length]!
        if (n % 4 < 3) await addLike(db, dogId, id)
        else
          await transact(db, (trx) =>
            trx.deleteFrom('dog_likes_all').where('user_id', '=', id).where('dog_id', '=', dogId).execute(),
          )
      }
    }),
  )
  assert.equal(await listDriftedCounts(db), [])
  const { votes } = await db
    .selectFrom('dogs')
    .select((eb) => eb.fn.sum<number>('votes').as('votes'))
    .executeTakeFirstOrThrow()
  assert.ok(votes > 0)
})

counts('likes that statements of several connections add and delete in bulk are all counted', async ({ db }) => {
  const members = await seed(db, ...Array.from({ length: CONNECTIONS }, () => member()))
  const dogs = await seed(db, ...Array.from({ length: 8 }, () => dog({ owner_id: members[0]!.id })))
  const addAll = (dogId: string, ids: readonly string[]) =>
    transact(db, (trx) =>
      insert(
        trx,
        'dog_likes_all',
        ids.map((id) => ({ id: randomUUID(), dog_id: dogId, user_id: id, created_at: Date.now() })),
      ),
    )
  const remove = (column: 'user_id' | 'dog_id', id: string) =>
    transact(db, (trx) => trx.deleteFrom('dog_likes_all').where(column, '=', id).execute())
  const ids = members.map(({ id }) => id)
  await Promise.all(dogs.map(({ id }, n) => addAll(id, n % 2 ? ids : ids.toReversed())))
  const read = () => db.selectFrom('dogs').select('votes').orderBy('id').execute()
  assert.equal(
    await read(),
    Array.from(dogs, () => ({ votes: CONNECTIONS })),
  )
  await Promise.all([
    ...members.slice(0, 8).map(({ id }) => remove('user_id', id)),
    ...dogs.slice(0, 4).map(({ id }) => remove('dog_id', id)),
  ])
  assert.is(
    (await read()).reduce((sum, { votes }) => sum + votes, 0),
    (CONNECTIONS - 8) * 4,
  )
  assert.equal(await listDriftedCounts(db), [])
})

counts('a profile that is added beside its member’s first like counts it', async ({ db }) => {
  const [owner, toby] = await seed(db, member(), dog())
  assert.ok(owner)
  for (let n = 0; n < 12; n++) {
    const id = randomUUID()
    await db.insertInto('users').values({ id, created_at: 1 }).execute()
    const addProfile = () =>
      transact(db, async (trx) => {
        if (n % 2) await wait(5)
        await insert(trx, 'profiles_all', { id, alias: id, alias_key: id, emoji: '🐶', created_at: 1 })
        await wait(10)
      })
    const likeDog = () =>
      transact(db, async (trx) => {
        if (n % 2 === 0) await wait(5)
        await insertLike(trx, toby.id, id)
        await wait(10)
      })
    await Promise.all([addProfile(), likeDog()])
  }
  assert.equal(await listDriftedCounts(db), [])
})

counts('dogs added, moved and deleted over many connections are all counted', async ({ db }) => {
  const members = await seed(db, ...Array.from({ length: 4 }, () => member()))
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      for (let n = 0; n < 6; n++) {
        const owner_id = members[(index + n) % members.length]!.id
        const [added] = await seed(db, dog({ breed: n % 2 ? 'Beagle' : 'Bóxer', owner_id }))
        await transact(db, async (trx) => {
          const rehome = trx.updateTable('dogs_all').set({ owner_id: members[n % members.length]!.id })
          if (n % 3 === 1) await rehome.where('id', '=', added.id).execute()
          if (n % 3 === 2) await trx.deleteFrom('dogs_all').where('id', '=', added.id).execute()
        })
      }
    }),
  )
  assert.equal(await listDriftedCounts(db), [])
})
