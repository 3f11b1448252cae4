import type { Db } from '#db/client.ts'
import { ALL_PROVINCES } from '#db/dialect/province-triggers.ts'
import { prepareQuery } from '#db/prepared.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { provinceNames } from '#features/places/provinces.server.ts'
import { readHomeZone } from './home-zone/home-zone.server.ts'
import type { HomeZone } from './home-zone/home-zone.ts'
import { FEW_BREEDS, MISSING_LIMIT, type MissingBreed, type MissingNearby, type Scope } from './nearby.ts'
import { neighboursOf } from './province-neighbours.ts'
import { countLeftOut, findNewestDogs, type Provinces } from './seen-dogs.server.ts'

const ownBreeds = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('member_breeds').select('breed_slug').where('user_id', '=', userId),
)

interface BreedCount {
  breed_slug: string
  province: string
  dogs: number
}

/** By the primary key of province_breeds, which grows with catalogue and provinces, not with the dogs. */
const countsIn = prepareQuery((db, { provinces }: { provinces: readonly string[] }) =>
  db
    .selectFrom('province_breeds')
    .select(['breed_slug', 'province', 'dogs'])
    .where('province', 'in', provinces)
    .where('dogs', '>', 0),
)

async function countsAnywhere(db: Db): Promise<BreedCount[]> {
  const rows = await db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .select((eb) => eb.fn.sum<number>('dogs').as('dogs'))
    .groupBy('breed_slug')
    .execute()
  return rows.map(({ breed_slug, dogs }) => ({ breed_slug, province: '', dogs: Number(dogs) }))
}

interface Area {
  scope: Scope
  provinces: Provinces
  counts: () => Promise<BreedCount[]>
}

/** Where to look, nearest first. Of a place abroad nothing tells what is near it. */
function areasAround(db: Db, province: string): Area[] {
  if (province === '') return [{ scope: 'everywhere', provinces: undefined, counts: () => countsAnywhere(db) }]
  const around = neighboursOf(province)
  return [
    { scope: 'province', provinces: [province], counts: () => countsIn(db, { provinces: [province] }) },
    {
      scope: 'neighbours',
      provinces: around,
      counts: () => (around.length > 0 ? countsIn(db, { provinces: around }) : Promise.resolve([])),
    },
    { scope: 'country', provinces: null, counts: () => countsIn(db, { provinces: [ALL_PROVINCES] }) },
  ]
}

/** Breeds looked at beyond those shown: all dogs of the first ones may be of members that are left out. */
const SPARE_BREEDS = 12

/**
 * Breeds that the member's album lacks and others have, those with most dogs first, in the home zone's province; where these are few, in the
 * provinces around it, then in the country. Dogs that the member is not to be notified of (seen-dogs.server.ts) do not count.
 */
export async function listMissingBreeds(
  db: Db,
  userId: string,
  { province }: Pick<HomeZone, 'province'>,
  { now = Date.now(), limit = MISSING_LIMIT }: { now?: number; limit?: number } = {},
): Promise<MissingBreed[]> {
  const { bySlug } = await getCatalogue(db)
  const taken = new Set((await ownBreeds(db, { userId })).map((row) => row.breed_slug))
  const found: MissingBreed[] = []
  for (const [i, { scope, provinces, counts }] of areasAround(db, province).entries()) {
    const room = (i === 0 ? limit : Math.min(limit, FEW_BREEDS)) - found.length
    const sums = new Map<string, { dogs: number; provinces: string[] }>()
    for (const row of await counts()) {
      if (taken.has(row.breed_slug) || !bySlug.has(row.breed_slug)) continue
      const sum = sums.get(row.breed_slug) ?? { dogs: 0, provinces: [] }
      sums.set(row.breed_slug, { dogs: sum.dogs + row.dogs, provinces: [...sum.provinces, row.province] })
    }
    const candidates = [...sums]
      .sort(([a, { dogs: ofA }], [b, { dogs: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
      .slice(0, room + SPARE_BREEDS)
    const slugs = candidates.map(([slug]) => slug)
    const leftOut = await countLeftOut(db, { userId, slugs, provinces, now })
    const shown = candidates
      .map(([slug, sum]) => ({ slug, dogs: sum.dogs - (leftOut.get(slug) ?? 0), in: sum.provinces }))
      .filter(({ dogs }) => dogs > 0)
      .slice(0, room)
    const pairs = shown.flatMap(({ slug, in: places }) => places.map((place) => ({ slug, province: place })))
    const newest = await findNewestDogs(db, { userId, pairs, provinces, now })
    for (const { slug, dogs } of shown) {
      const dog = newest.get(slug)
      const breed = bySlug.get(slug)
      if (!dog || !breed) continue
      taken.add(slug)
      found.push({ slug, name: breed.nombre_castellano, scope, dogs, lastSeen: dog.created_at, lastZone: dog.zone })
    }
    if (found.length >= Math.min(limit, FEW_BREEDS)) break
  }
  return found
}

/** What the own album and profile show under «Te faltan cerca». */
export async function loadMissingNearby(db: Db, userId: string, now = Date.now()): Promise<MissingNearby> {
  const home = await readHomeZone(db, userId)
  if (!home) return { home, provinceName: '', breeds: [] }
  const provinceName = provinceNames().get(home.province) ?? ''
  return { home, provinceName, breeds: await listMissingBreeds(db, userId, home, { now }) }
}
