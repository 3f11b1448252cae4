import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { isForeignKeyError } from '#db/dialect/errors.ts'
import { transact } from '#db/transact.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { TOP_BREEDS, yearRange } from './years.ts'

/** A member's year by ids and counts, as it is kept. */
export interface YearSummary {
  owned: number
  discovered: number
  likes: number
  /** Slugs of breeds whose first dog in the album is of the year. */
  newBreeds: string[]
  /** Numbers of the provinces where these were seen, with how many of them, most first. */
  provinces: [id: string, breeds: number][]
  breeds: [slug: string, dogs: number][]
  breedCount: number
  likedLikes: number
  fanLikes: number
  firstDogId: string | null
  lastDogId: string | null
  likedDogId: string | null
  fanId: string | null
}

/** The member's dogs until the end of a year, oldest first, by index member_dogs_list. */
const selectDogs = (db: Db, userId: string, to: number) =>
  db
    .selectFrom('member_dogs as m')
    .innerJoin('dogs as d', 'd.id', 'm.dog_id')
    .select(['m.dog_id', 'm.created_at', 'm.breed_slug', 'd.owner_id', 'd.province'])
    .where('m.user_id', '=', userId)
    .where('m.created_at', '<', to)
    .orderBy('m.created_at')
    .orderBy('m.dog_id')

/** Likes of the year on the member's dogs, by index dog_likes_dog. */
const selectLikes = (db: Db, userId: string, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('member_dogs as m')
    .innerJoin('dog_likes as l', 'l.dog_id', 'm.dog_id')
    .where('m.user_id', '=', userId)
    .where('m.created_at', '<', to)
    .where('l.created_at', '>=', from)
    .where('l.created_at', '<', to)
    .where('l.user_id', '!=', userId)

/** The members with a profile whom the member's year may name. */
const selectNameable = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('profiles as p')
    .select('p.id')
    .where(visibleTo(userId, 'years', now).of('p.id'))

export async function isNameable(db: Db, userId: string, otherId: string, now: number): Promise<boolean> {
  return (await selectNameable(db, userId, now).where('p.id', '=', otherId).executeTakeFirst()) !== undefined
}

/** Likers looked at, until one may be named. */
const FANS_TRIED = 100

/** Who gave most likes of the year, of those who may be named; of equal ones who gave the first. */
async function findFan(db: Db, userId: string, range: { from: number; to: number }, now: number) {
  const likers = await selectLikes(db, userId, range)
    .select(({ fn }) => ['l.user_id', fn.countAll<number>().as('likes'), fn.min('l.created_at').as('since')])
    .groupBy('l.user_id')
    .orderBy('likes', 'desc')
    .orderBy('since')
    .orderBy('l.user_id')
    .limit(FANS_TRIED)
    .execute()
  const ids = likers.map((liker) => liker.user_id)
  if (ids.length === 0) return null
  const rows = await selectNameable(db, userId, now).where('p.id', 'in', ids).execute()
  const nameable = new Set(rows.map(({ id }) => id))
  return likers.find((liker) => nameable.has(liker.user_id)) ?? null
}

const mostFirst = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))

const increment = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/**
 * Computes a member's year in one pass over their dogs and the likes of these. Hidden and deleted dogs have no row, so that they are in
 * none of its figures.
 */
export async function summariseYear(db: Db, userId: string, year: number, now: number): Promise<YearSummary> {
  const range = yearRange(year)
  const dogs = await selectDogs(db, userId, range.to).execute()
  const likes = await selectLikes(db, userId, range)
    .select(({ fn }) => ['l.dog_id', fn.countAll<number>().as('likes')])
    .groupBy('l.dog_id')
    .execute()
  const likesOf = new Map(likes.map((row) => [row.dog_id, row.likes]))
  const fan = likes.length > 0 ? await findFan(db, userId, range, now) : null
  const ofYear = dogs.filter((dog) => dog.created_at >= range.from)
  const breeds = new Map<string, number>()
  for (const dog of ofYear) increment(breeds, dog.breed_slug)
  const firstOfBreed = new Map<string, (typeof dogs)[number]>()
  for (const dog of dogs) if (!firstOfBreed.has(dog.breed_slug)) firstOfBreed.set(dog.breed_slug, dog)
  const newOnes = [...firstOfBreed.values()].filter((dog) => dog.created_at >= range.from)
  const provinces = new Map<string, number>()
  for (const { province } of newOnes) if (province) increment(provinces, province)
  const liked = dogs.toSorted((a, b) => (likesOf.get(b.dog_id) ?? 0) - (likesOf.get(a.dog_id) ?? 0))[0]
  const likedLikes = (liked && likesOf.get(liked.dog_id)) ?? 0
  const owned = ofYear.filter((dog) => dog.owner_id === userId).length
  return {
    owned,
    discovered: ofYear.length - owned,
    likes: likes.reduce((sum, row) => sum + row.likes, 0),
    newBreeds: newOnes.map((dog) => dog.breed_slug),
    provinces: mostFirst(provinces),
    breeds: mostFirst(breeds).slice(0, TOP_BREEDS),
    breedCount: breeds.size,
    likedLikes,
    fanLikes: fan?.likes ?? 0,
    firstDogId: ofYear[0]?.dog_id ?? null,
    lastDogId: ofYear.at(-1)?.dog_id ?? null,
    likedDogId: likedLikes > 0 ? liked!.dog_id : null,
    fanId: fan?.user_id ?? null,
  }
}

/**
 * What a year is computed from, in short: it changes with each dog that comes, goes, is edited or is liked, and where one like is taken back
 * and another given: the last like's time, by index dog_likes_dog. A remainder of the times of edits keeps their sum a number.
 */
async function readStamp(db: Db, userId: string, year: number): Promise<string> {
  const row = await db
    .selectFrom('member_dogs as m')
    .innerJoin('dogs as d', 'd.id', 'm.dog_id')
    .select(({ fn }) => [
      fn.countAll<number>().as('dogs'),
      fn.sum<number | null>('d.votes').as('votes'),
      fn.sum<number | null>(sql`d.updated_at % 1000003`).as('edits'),
      fn
        .max<number | null>(sql`(SELECT max(l.created_at) FROM dog_likes AS l WHERE l.dog_id = m.dog_id)`)
        .as('last_like'),
    ])
    .where('m.user_id', '=', userId)
    .where('m.created_at', '<', yearRange(year).to)
    .executeTakeFirstOrThrow()
  return [row.dogs, row.votes ?? 0, row.edits ?? 0, row.last_like ?? 0].join('.')
}

type KeptFigures = Omit<YearSummary, 'firstDogId' | 'lastDogId' | 'likedDogId' | 'fanId'>

/**
 * A member's year: as it is kept, or computed and kept anew where something of it has changed since, or where who gave most likes may not
 * be named any more.
 */
export async function readYearSummary(db: Db, userId: string, year: number, now: number): Promise<YearSummary> {
  const stamp = await readStamp(db, userId, year)
  const row = await db
    .selectFrom('member_years')
    .selectAll()
    .where('user_id', '=', userId)
    .where('year', '=', year)
    .executeTakeFirst()
  if (row?.stamp === stamp && (row.fan_id === null || (await isNameable(db, userId, row.fan_id, now))))
    return {
      ...(JSON.parse(row.figures) as KeptFigures),
      firstDogId: row.first_dog_id,
      lastDogId: row.last_dog_id,
      likedDogId: row.liked_dog_id,
      fanId: row.fan_id,
    }
  const summary = await summariseYear(db, userId, year, now)
  await keepSummary(db, userId, year, { summary, stamp, now })
  return summary
}

async function keepSummary(
  db: Db,
  userId: string,
  year: number,
  { summary, stamp, now }: { summary: YearSummary; stamp: string; now: number },
): Promise<void> {
  const { firstDogId, lastDogId, likedDogId, fanId, ...figures } = summary
  const row = {
    stamp,
    figures: JSON.stringify(figures satisfies KeptFigures),
    first_dog_id: firstDogId,
    last_dog_id: lastDogId,
    liked_dog_id: likedDogId,
    fan_id: fanId,
    computed_at: now,
  }
  try {
    await transact(db, (trx) =>
      trx
        .insertInto('member_years')
        .values({ user_id: userId, year, ...row })
        .onConflict((conflict) => conflict.columns(['user_id', 'year']).doUpdateSet(row))
        .execute(),
    )
  } catch (error) {
    // A dog or a member of it was deleted meanwhile: the next reader computes it without them.
    if (!isForeignKeyError(error)) throw error
  }
}
