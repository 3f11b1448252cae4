import type { Db } from '#db/client.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import { padArms, prepareQuery } from '#db/prepared.ts'
import { selectHiddenNearby, visibleTo } from '#features/moderation/visibility.server.ts'

// The dogs of others near a member. Hidden ones are in no table that is read here; those of people whom `nearby` hides are left out.

/** Provinces by number; null: all of them; undefined: anywhere. */
export type Provinces = readonly string[] | null | undefined

/** How many dogs of each breed belong to members that are left out. */
export async function countLeftOut(
  db: Db,
  { userId, slugs, provinces, now }: { userId: string; slugs: readonly string[]; provinces: Provinces; now: number },
): Promise<ReadonlyMap<string, number>> {
  if (slugs.length === 0) return new Map()
  const rows = await db
    .selectFrom('member_dogs as m')
    .innerJoin('dogs as d', 'd.id', 'm.dog_id')
    .select('m.breed_slug')
    .select((eb) => eb.fn.count<number>('d.id').distinct().as('dogs'))
    .where('m.user_id', 'in', selectHiddenNearby(db, userId, now))
    .where(inTexts(db, 'm.breed_slug', slugs))
    .$if(provinces === null, (query) => query.where('d.province', '!=', ''))
    .$if(Boolean(provinces), (query) => query.where(inTexts(db, 'd.province', provinces ?? [])))
    .groupBy('m.breed_slug')
    .execute()
  return new Map(rows.map((row) => [row.breed_slug, Number(row.dogs)]))
}

export interface NewestDog {
  breed_slug: string
  created_at: number
  zone: string | null
}

interface NewestRequest {
  userId: string
  now: number
  slugs: readonly string[]
  /** One for each slug; undefined: any province, of which `isInSpain` takes those of Spain. */
  provinces?: readonly string[]
  isInSpain?: boolean
}

/** One statement, an arm per breed and province: each walks an index from its newest dog, by dogs_breed_province_created or dogs_breed_created. */
const newestRows = prepareQuery((db, { userId, now, slugs, provinces, isInSpain }: NewestRequest) => {
  const arms = slugs.map((slug, i) => {
    const newest = db
      .selectFrom('dogs as d')
      .select(['d.breed_slug', 'd.created_at', 'd.zone'])
      .where('d.breed_slug', '=', slug)
      .$if(provinces !== undefined, (query) => query.where('d.province', '=', provinces?.[i] ?? ''))
      .$if(isInSpain !== undefined, (query) => query.where('d.province', '!=', ''))
      .where(visibleTo(userId, 'nearby', now).of('d.owner_id', 'd.discoverer_id'))
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(1)
    return db.selectFrom(newest.as('newest')).selectAll()
  })
  const [first, ...rest] = arms
  if (!first) throw new Error('Newest dogs of no breed')
  return rest.reduce((all, next) => all.unionAll(next), first)
})

/** SQLite takes 500 arms in a statement; fewer keep a statement short. */
const MAX_ARMS = 48
/** No dog has this slug. */
const UNUSED_ARM = { slug: '', province: '-' }

/** The newest dog without left-out people, for each breed that has one. */
export async function findNewestDogs(
  db: Db,
  {
    userId,
    pairs,
    provinces,
    now,
  }: {
    userId: string
    /** Breeds, each with the province to look in where `provinces` names some. */
    pairs: readonly { slug: string; province: string }[]
    provinces: Provinces
    now: number
  },
): Promise<ReadonlyMap<string, NewestDog>> {
  const newest = new Map<string, NewestDog>()
  for (let from = 0; from < pairs.length; from += MAX_ARMS) {
    const padded = padArms(pairs.slice(from, from + MAX_ARMS), UNUSED_ARM)
    const rows = await newestRows(db, {
      userId,
      now,
      slugs: padded.map(({ slug }) => slug),
      ...(provinces && { provinces: padded.map(({ province }) => province) }),
      ...(provinces === null && { isInSpain: true }),
    })
    for (const row of rows)
      if (row.created_at > (newest.get(row.breed_slug)?.created_at ?? 0)) newest.set(row.breed_slug, row)
  }
  return newest
}
