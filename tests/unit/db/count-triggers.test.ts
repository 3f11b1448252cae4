import { randomUUID } from 'node:crypto'
import { insertDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { assert, type Db, dbSuite, insert, isPostgresRun, listDriftedCounts } from '#tests/support/suites.ts'

/** A fixed row of chances, so that a failure repeats itself. */
function seededRandom(seed: number) {
  let state = seed
  const below = (n: number) => (state = (state * 48_271) % 2_147_483_647) % n
  return { below, of: <T>(list: readonly T[]): T => list[below(list.length)]! }
}

const BREEDS = ['Beagle', 'Bóxer', 'Mestizo', 'Un poco de todo', 'Pastor alemán']
const SIZES = [null, 'mini', 'grande'] as const
const NAMES = ['Toby', 'Luna', '???']

/** A random action of any member. */
function randomActions(db: Db, { below, of }: ReturnType<typeof seededRandom>) {
  const users: string[] = []
  const dogs: string[] = []
  const alive = async (table: 'dogs' | 'users', id: string) =>
    (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst())?.id ?? null
  const anyone = async () => (below(4) && users.length ? alive('users', of(users)) : null)
  let clock = Date.UTC(2026, 10, 18)

  const addUser = async () => {
    const id = randomUUID()
    users.push(id)
    await db.insertInto('users').values({ id, created_at: clock }).execute()
    if (below(3)) await addProfile(id)
  }
  const addProfile = (id: string) =>
    db
      .insertInto('profiles_all')
      .values({ id, alias: id, alias_key: id, emoji: '🐶', created_at: clock })
      .onConflict((c) => c.doNothing())
      .execute()
  const addDog = async () => {
    const id = randomUUID()
    dogs.push(id)
    const owner_id = await anyone()
    const input = dogSchema.parse({ name: of(NAMES), breed: of(BREEDS), size: of(SIZES) })
    const people = { user_id: owner_id, owner_id, discoverer_id: below(3) ? await anyone() : owner_id }
    await db.transaction().execute((trx) => insertDog(trx, { id, input, images: [], ...people, created_at: clock }))
  }
  const editDog = async () => {
    const id = of(dogs)
    const row = await db
      .selectFrom('dogs')
      .select(['owner_id', 'discoverer_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    const editor = row?.owner_id ?? row?.discoverer_id
    if (editor) await updateDog(db, { id: editor }, id, { breed: of(BREEDS), size: of(SIZES), name: of(NAMES) }, clock)
  }
  const rehome = async () => {
    const to = await anyone()
    const change = below(2) ? { owner_id: to } : { discoverer_id: to }
    await db.updateTable('dogs_all').set(change).where('id', '=', of(dogs)).execute()
  }
  const like = async () => {
    const [dog_id, user_id] = [await alive('dogs', of(dogs)), await alive('users', of(users))]
    if (dog_id && user_id)
      await db
        .insertInto('dog_likes_all')
        .values({ id: randomUUID(), dog_id, user_id, created_at: clock })
        .onConflict((c) => c.doNothing())
        .execute()
  }
  const unlike = () =>
    db.deleteFrom('dog_likes_all').where('dog_id', '=', of(dogs)).where('user_id', '=', of(users)).execute()
  const comment = async () => {
    const [dog_id, user_id] = [await alive('dogs', of(dogs)), await alive('users', of(users))]
    if (dog_id && user_id)
      await insert(db, 'comments_all', { id: randomUUID(), dog_id, user_id, content: 'x', created_at: clock })
  }
  const uncomment = () => db.deleteFrom('comments_all').where('dog_id', '=', of(dogs)).execute()
  const dropDog = () => db.deleteFrom('dogs_all').where('id', '=', of(dogs)).execute()
  const dropUser = () => db.deleteFrom('users').where('id', '=', of(users)).execute()
  const dropProfile = () => db.deleteFrom('profiles_all').where('id', '=', of(users)).execute()
  const lateProfile = async () => {
    const id = await alive('users', of(users))
    if (id) await addProfile(id)
  }

  const often: [() => Promise<unknown>, number][] = [
    [addUser, 4],
    [addDog, 10],
    [editDog, 14],
    [rehome, 10],
    [like, 26],
    [unlike, 8],
    [comment, 10],
    [uncomment, 2],
    [dropDog, 4],
    [dropUser, 1],
    [dropProfile, 1],
    [lateProfile, 4],
  ]
  const all = often.flatMap(([action, times]) => Array.from({ length: times }, () => action))
  return {
    start: async () => {
      for (let i = 0; i < 5; i++) await addUser()
      for (let i = 0; i < 5; i++) await addDog()
    },
    next: async () => {
      clock += below(3_600_000)
      const action = of(all)
      await action()
      return action.name
    },
  }
}

/** PostgreSQL answers each statement from another process. */
const ACTIONS = isPostgresRun ? 500 : 4000

const counts = dbSuite('unit/db/count-triggers')

counts('counts agree with a recount after many random actions', async ({ db }) => {
  const { start, next } = randomActions(db, seededRandom(20_261_120))
  await start()
  for (let i = 0; i < ACTIONS; i++) {
    const action = await next()
    if (i % 50 === 0 || i > ACTIONS - 100) assert.equal(await listDriftedCounts(db), [], `after action ${i}, ${action}`)
  }
  const { n } = await db
    .selectFrom('dogs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  assert.ok(n > 10, 'the test must have had something to count')
})

counts('the recount detects a wrong count', async ({ db }) => {
  const { start, next } = randomActions(db, seededRandom(3))
  await start()
  for (let i = 0; i < 300; i++) await next()
  assert.equal(await listDriftedCounts(db), [])
  await db
    .updateTable('profiles_all')
    .set((eb) => ({ likes_count: eb('likes_count', '+', 1) }))
    .execute()
  await db
    .updateTable('member_breeds')
    .set((eb) => ({ dogs: eb('dogs', '+', 1) }))
    .execute()
  assert.equal(await listDriftedCounts(db), ['razas de cada miembro', 'likes de los perfiles'])
})
