import type { Db } from '#db/client.ts'
import { padArms, prepareQuery } from '#db/prepared.ts'
import type { AlbumRole } from './album.ts'

/** Whose dogs fill the album: everyone's, a member's, or those of a visitor (none). */
export type AlbumOwner = 'everyone' | AlbumMember | 'visitor'

interface AlbumMember {
  userId: string
  /** Which of their dogs; by default all. */
  role?: AlbumRole
}

/**
 * Dogs per breed: one read of a tally table with a row per breed (and size), not of the dogs. Those of one role are counted by the index
 * dogs_owner_breed or dogs_discoverer_breed, which holds all that is read.
 */
export async function countDogsByBreed(db: Db, owner: AlbumOwner): Promise<ReadonlyMap<string, number>> {
  if (owner === 'visitor') return new Map()
  const rows = owner === 'everyone' ? await communityCountRows(db, {}) : await memberCountsQuery(db, owner).execute()
  return new Map(rows.map((row) => [row.breed_slug, Number(row.dogs)]))
}

/** When the newest dog of each of a member's breeds was added, by the index member_dogs_breed. */
export async function findNewestByBreed(db: Db, userId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('member_dogs')
    .select('breed_slug')
    .select((eb) => eb.fn.max('created_at').as('newest'))
    .where('user_id', '=', userId)
    .groupBy('breed_slug')
    .execute()
  return new Map(rows.map((row) => [row.breed_slug, Number(row.newest)]))
}

function memberCountsQuery(db: Db, { userId, role = 'all' }: AlbumMember) {
  if (role === 'all') return db.selectFrom('member_breeds').select(['breed_slug', 'dogs']).where('user_id', '=', userId)
  return db
    .selectFrom('dogs')
    .select('breed_slug')
    .select((eb) => eb.fn.countAll<number>().as('dogs'))
    .where(role === 'owned' ? 'owner_id' : 'discoverer_id', '=', userId)
    .groupBy('breed_slug')
}

const communityCountsQuery = (db: Db) =>
  db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .select((eb) => eb.fn.sum<number>('dogs').as('dogs'))
    .groupBy('breed_slug')
    .having((eb) => eb.fn.sum('dogs'), '>', 0)

const communityCountRows = prepareQuery((db) => communityCountsQuery(db))

/** The member whose dogs they are, by their role in them; without any, the dogs are everyone's. */
interface CoverOwner {
  memberId?: string | undefined
  ownerId?: string | undefined
  discovererId?: string | undefined
}

/**
 * Covers of a breed's newest dogs, by the index dogs_breed_created or member_dogs_breed, or of a role's by dogs_owner_breed or
 * dogs_discoverer_breed; at most `limit`.
 */
function newestCoversQuery(db: Db, { memberId, ownerId, discovererId }: CoverOwner, slug: string, limit: number) {
  if (memberId !== undefined)
    return db
      .selectFrom('member_dogs as m')
      .innerJoin('dogs as d', 'd.id', 'm.dog_id')
      .where('m.user_id', '=', memberId)
      .where('m.breed_slug', '=', slug)
      .orderBy('m.created_at', 'desc')
      .orderBy('m.dog_id', 'desc')
      .select(['d.breed_slug', 'd.photo_url'])
      .limit(limit)
  let dogs = db.selectFrom('dogs as d').where('d.breed_slug', '=', slug)
  if (ownerId !== undefined) dogs = dogs.where('d.owner_id', '=', ownerId)
  if (discovererId !== undefined) dogs = dogs.where('d.discoverer_id', '=', discovererId)
  return dogs
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .select(['d.breed_slug', 'd.photo_url'])
    .limit(limit)
}

interface CoversRequest extends CoverOwner {
  slugs: readonly string[]
  limit: number
}

/** One statement for the whole spread: an arm per breed, each an index walk of a few rows. */
const coverRows = prepareQuery((db, { slugs, limit, ...owner }: CoversRequest) => {
  const [first, ...rest] = slugs.map((slug) =>
    db.selectFrom(newestCoversQuery(db, owner, slug, limit).as('newest')).selectAll(),
  )
  if (!first) throw new Error('Covers of no breed')
  return rest.reduce((all, next) => all.unionAll(next), first)
})

/** No dog has this slug. */
const UNUSED_ARM_SLUG = ''

function toCoverOwner(owner: AlbumOwner): CoverOwner {
  if (typeof owner !== 'object') return {}
  const { userId, role = 'all' } = owner
  if (role === 'all') return { memberId: userId }
  return role === 'owned' ? { ownerId: userId } : { discovererId: userId }
}

/** Photos of the newest dogs of these breeds, at most `limit` each; every slug is a key, also without photos. */
export async function findCovers(db: Db, owner: AlbumOwner, slugs: readonly string[], limit: number) {
  const bySlug = new Map<string, string[]>(slugs.map((slug) => [slug, []]))
  if (slugs.length === 0) return bySlug
  const rows = await coverRows(db, { ...toCoverOwner(owner), slugs: padArms(slugs, UNUSED_ARM_SLUG), limit })
  for (const row of rows) if (row.photo_url) bySlug.get(row.breed_slug)?.push(row.photo_url)
  return bySlug
}
