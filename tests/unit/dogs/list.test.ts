import { dogsLikedBy, dogsOfMember, listDogs, newestDogs } from '#features/dogs/list/list.server.ts'
import { SORTS, type DogQuery } from '#features/dogs/dogs.ts'
import {
  allPages,
  assert,
  type Db,
  dbSuite,
  type Dog,
  dog,
  insert,
  member,
  pluck,
  refusal,
  seed,
} from '#tests/support/suites.ts'

const NOON = Date.UTC(2026, 10, 20, 11)
const DAY = 86_400_000

const list = dbSuite('unit/dogs/list: listDogs')

/** Every page of a query, one after another. */
async function everyPage(db: Db, query: DogQuery): Promise<Dog[]> {
  const pages = await allPages((cursor) => listDogs(db, { ...query, cursor }))
  for (const { dogs } of pages) assert.ok(dogs.length <= (query.limit ?? 24))
  return pages.flatMap(({ dogs }) => dogs)
}

const likes = async (db: Db, dogId: string, from: { id: string }[]) => {
  for (const [i, user] of from.entries())
    await insert(db, 'dog_likes_all', { id: `${dogId}-${i}`, dog_id: dogId, user_id: user.id, created_at: NOON + i })
}

list('the newest come first, with photos, address and counts', async ({ db }) => {
  const [ana, toby, luna] = await seed(
    db,
    member(),
    dog({ name: 'Toby', created_at: NOON }),
    dog({ name: 'Luna', created_at: NOON + 1, photos: 2, weight: 12.5, age: 8, age_unit: 'meses', zone: 'Cádiz' }),
  )
  const { dogs, nextCursor } = await listDogs(db, {})
  assert.equal(pluck(dogs, 'id'), [luna.id, toby.id])
  const [first] = dogs
  assert.equal([nextCursor, first!.path, first!.weight, first!.owner_id], [null, '/beagle/luna', 12.5, ana.id])
  assert.equal(pluck(first!.images, 'order'), [0, 1])
  assert.is(first!.photo_url, first!.images[0]!.url)
})

list('pages continue without gap or repetition over ties, in every order', async ({ db }) => {
  const people = await seed(db, member(), member(), member())
  const sizes = ['mini', null, 'grande'] as const
  for (let i = 0; i < 23; i++) {
    const figures = { weight: i % 5 ? (i % 4) + ((i * 7) % 10) / 10 + 0.05 : null, age: i % 3 ? (i % 2) + 1 : null }
    const breed = i % 2 ? 'Beagle' : 'Bóxer'
    const [made] = await seed(db, dog({ breed, size: sizes[i % 3]!, ...figures, created_at: NOON + (i % 4) }))
    await likes(db, made.id, people.slice(0, i % 3))
  }
  const figure = {
    recent: (d: Dog) => -d.created_at,
    'votes-desc': (d: Dog) => -d.likes,
    'votes-asc': (d: Dog) => d.likes,
    'weight-desc': (d: Dog) => -Math.trunc(d.weight!),
    'weight-asc': (d: Dog) => Math.trunc(d.weight!),
    'age-desc': (d: Dog) => -d.age!,
    'age-asc': (d: Dog) => d.age!,
  }
  const all = (await listDogs(db, { limit: 100 })).dogs
  for (const sort of SORTS)
    for (const filter of [{}, { breed: 'beagle' }, { size: 'mini' }, { breed: 'boxer', size: 'grande' }] as const) {
      const dogs = await everyPage(db, { ...filter, sort, limit: 3 })
      const wanted = all.filter(
        (d) =>
          (!('breed' in filter) || d.breed_slug === filter.breed) &&
          (!('size' in filter) || d.size === filter.size) &&
          (!sort.startsWith('weight') || d.weight !== null) &&
          (!sort.startsWith('age') || d.age !== null),
      )
      const about = `${sort} ${JSON.stringify(filter)}`
      assert.equal(new Set(pluck(dogs, 'id')), new Set(pluck(wanted, 'id')), about)
      assert.is(dogs.length, wanted.length, about)
      // Dogs of one whole kilogram (year, day, …) are equal: among them the id decides, not the decimals.
      const up = sort === 'recent' || sort.endsWith('desc') ? -1 : 1
      for (const [a, b] of dogs.slice(1).map((d, i) => [dogs[i]!, d] as const))
        if (figure[sort](a) === figure[sort](b)) assert.is(a.id < b.id ? 1 : -1, up, `${about}: ${a.id} before ${b.id}`)
      const figures = dogs.map(figure[sort])
      const sorted = figures.toSorted((a, b) => a - b)
      assert.equal(figures, sorted, about)
    }
})

list('a dog added or deleted between two pages neither repeats nor hides another', async ({ db }) => {
  await seed(db, member(), ...Array.from({ length: 6 }, (_, i) => dog({ created_at: NOON + i })))
  const first = await listDogs(db, { limit: 3 })
  await seed(db, dog({ created_at: NOON + 100 }))
  await db.deleteFrom('dogs_all').where('id', '=', first.dogs[2]!.id).execute()
  const second = await listDogs(db, { limit: 3, cursor: first.nextCursor! })
  assert.is(second.dogs.length, 3)
  assert.is(second.nextCursor, null)
  assert.ok(second.dogs.every((d) => !first.dogs.some((f) => f.id === d.id)))
})

list('the breed filter takes a slug, a name or another spelling; an unknown one finds nothing', async ({ db }) => {
  await seed(db, dog({ breed: 'Pastor alemán' }), dog({ breed: 'Mezcla rara' }), dog({ breed: 'Mestizo' }), dog())
  const count = async (breed: string) => (await listDogs(db, { breed })).dogs.length
  for (const breed of ['pastor-aleman', 'Pastor Alemán', 'german shepherd']) assert.is(await count(breed), 1, breed)
  for (const breed of ['mestizo', 'Mestizo', 'mix', 'mixed']) assert.is(await count(breed), 2, breed)
  for (const breed of ['dragón', '???', 'mezcla-rara']) assert.is(await count(breed), 0, breed)
})

list('an invalid cursor, or one of another order, is refused', async ({ db }) => {
  await seed(db, dog(), dog())
  const { nextCursor } = await listDogs(db, { limit: 1 })
  for (const [cursor, sort] of [
    ['', 'recent'],
    ['no', 'recent'],
    [nextCursor!.slice(0, -3), 'recent'],
    [nextCursor!, 'votes-desc'],
    [btoa('["recent","1","x"]'), 'recent'],
    [btoa('{}'), 'recent'],
  ] as const)
    assert.is((await refusal(listDogs(db, { cursor, sort })))[0], 422, cursor)
})

list('statistics cover the filters, everything and today', async ({ db }) => {
  const [a, b] = await seed(db, member(), member())
  const [rex, , , old] = await seed(
    db,
    dog({ breed: 'Beagle', size: 'mini', weight: 4.5, age: 5, age_unit: 'meses', created_at: NOON }),
    dog({ breed: 'Beagle', size: 'grande', weight: 30, age: 12, created_at: NOON }),
    dog({ breed: 'Bóxer', created_at: NOON }),
    dog({ breed: 'Beagle', created_at: NOON - DAY }),
  )
  await likes(db, rex.id, [a, b])
  await likes(db, old.id, [a])
  assert.equal((await listDogs(db, {}, NOON)).stats, {
    dogs: 4,
    breeds: 2,
    likes: 3,
    today: 3,
    total: 4,
    breedsTotal: 2,
    todayTotal: 3,
    likesMax: 2,
    likesMin: 0,
    weightMax: 30,
    weightMin: 4.5,
    ageMax: 144,
    ageMin: 5,
  })
  const { stats } = await listDogs(db, { breed: 'beagle', size: 'mini' }, NOON)
  assert.equal(
    [stats.dogs, stats.breeds, stats.today, stats.total, stats.breedsTotal, stats.todayTotal, stats.weightMin],
    [1, 1, 1, 4, 2, 3, 4.5],
  )
  const none = (await listDogs(db, { breed: 'dragón' }, NOON)).stats
  assert.equal([none.dogs, none.likes, none.today, none.likesMax, none.total], [0, 0, 0, null, 4])
})

list('«hoy» is the Madrid day: half past eleven at night in London is tomorrow', async ({ db }) => {
  const late = Date.UTC(2026, 10, 20, 23, 30)
  await seed(db, dog({ created_at: late - 1_800_000 - 1 }), dog({ created_at: late }))
  assert.is((await listDogs(db, {}, late)).stats.today, 1)
  assert.is((await listDogs(db, {}, late - 3_600_000)).stats.today, 1)
})

list(
  'the first dog of its breed is platinum; a dog with five likes and among the ten most liked is holo',
  async ({ db }) => {
    const fans = await seed(db, ...Array.from({ length: 7 }, () => member()))
    const [first, second, boxer, mix] = await seed(
      db,
      dog({ breed: 'Beagle', created_at: NOON }),
      dog({ breed: 'Beagle', created_at: NOON + 1 }),
      dog({ breed: 'Bóxer', created_at: NOON + 2 }),
      dog({ breed: 'Un poco de todo', created_at: NOON + 3 }),
    )
    const cards = async () => Object.fromEntries((await listDogs(db, { limit: 100 })).dogs.map((d) => [d.id, d.card]))
    const wanted = { [first.id]: 'platinum', [second.id]: null, [boxer.id]: 'platinum', [mix.id]: 'platinum' }
    assert.equal(await cards(), wanted)
    await likes(db, boxer.id, fans.slice(0, 5))
    await likes(db, second.id, fans.slice(0, 4))
    assert.is((await cards())[boxer.id], 'holo')
    assert.is((await cards())[second.id], null)
    // Ten others with more likes push it out of the ten.
    for (let i = 0; i < 10; i++) {
      const [other] = await seed(db, dog({ breed: 'Beagle', created_at: NOON + 10 + i }))
      await likes(db, other.id, fans.slice(0, 6))
    }
    const after = await cards()
    assert.is(after[boxer.id], 'platinum')
    assert.is(Object.values(after).filter((card) => card === 'holo').length, 10)
  },
)

list('a filtered page has the card types of the whole community', async ({ db }) => {
  await seed(db, dog({ size: 'mini', created_at: NOON }), dog({ size: 'grande', created_at: NOON + 1 }))
  assert.is((await listDogs(db, { size: 'grande' })).dogs[0]!.card, null)
})

const lists = dbSuite('unit/dogs/list: lists of members')

lists('a member has the dogs they own or discovered, each once', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [owned, found, both, other] = await seed(
    db,
    dog({ owner_id: ana.id, created_at: NOON }),
    dog({ discoverer_id: ana.id, owner_id: luis.id, created_at: NOON + 1, breed: 'Bóxer' }),
    dog({ owner_id: ana.id, discoverer_id: ana.id, created_at: NOON + 2 }),
    dog({ owner_id: luis.id, created_at: NOON + 3 }),
  )
  const ids = async (id: string, options = {}) => (await dogsOfMember(db, id, options)).dogs.map((d) => d.id)
  assert.equal(await ids(ana.id), [both.id, found.id, owned.id])
  assert.equal(await ids(luis.id), [other.id, found.id])
  assert.equal(await ids(ana.id, { breed: 'boxer' }), [found.id])
  const page = await dogsOfMember(db, ana.id, { limit: 2 })
  assert.equal(await ids(ana.id, { cursor: page.nextCursor! }), [owned.id])
})

lists('a member’s liked dogs come latest like first, page by page', async ({ db }) => {
  const [ana] = await seed(db, member())
  const dogs = await seed(db, dog(), dog(), dog())
  for (const [i, { id }] of dogs.entries()) {
    const created_at = NOON + (i === 2 ? 0 : 1)
    await insert(db, 'dog_likes_all', { id: `like-${i}`, dog_id: id, user_id: ana.id, created_at })
  }
  const page = await dogsLikedBy(db, ana.id, { limit: 2 })
  assert.equal(pluck(page.dogs, 'id'), [dogs[1].id, dogs[0].id])
  const rest = await dogsLikedBy(db, ana.id, { limit: 2, cursor: page.nextCursor! })
  assert.equal(pluck(rest.dogs, 'id'), [dogs[2].id])
  assert.is(rest.nextCursor, null)
})

lists('the profile card has the eight newest dogs with a photo', async ({ db }) => {
  await seed(db, ...Array.from({ length: 10 }, (_, i) => dog({ created_at: NOON + i, photos: i === 9 ? 0 : 1 })))
  const dogs = await newestDogs(db)
  assert.is(dogs.length, 8)
  assert.is(dogs[0]!.created_at, NOON + 8)
  assert.ok(dogs.every((d) => d.photo_url))
})
