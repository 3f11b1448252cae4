import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { AppError } from '#lib/errors.ts'
import { nameSlug, slugify } from '#lib/text/slug.ts'
import { findDog } from './dog.server.ts'
import type { Dog } from './dogs.ts'

/** What `/{breed}/{name}` leads to: a dog, a dog whose path changed, one that is deleted or hidden, or nothing. */
export type PathLookup =
  | { kind: 'found'; dog: Dog }
  /** Answer 301 to `path`. */
  | { kind: 'moved'; path: string }
  /** Answer 410. */
  | { kind: 'gone' }
  | { kind: 'missing' }

const pathRows = prepareQuery((db, path: { breedSlug: string; slug: string }) =>
  db.selectFrom('dog_paths').select('dog_id').where('breed_slug', '=', path.breedSlug).where('slug', '=', path.slug),
)
const findPathRow = async (db: Db, breedSlug: string, slug: string) => (await pathRows(db, { breedSlug, slug }))[0]
const dogIdRows = prepareQuery((db, { id }: { id: string }) => db.selectFrom('dogs').select('id').where('id', '=', id))

/** Whether a dog has, or had, the path `/{breedSlug}/{slug}`, in this very spelling. */
export const hasDogPath = async (db: Db, breedSlug: string, slug: string): Promise<boolean> =>
  (await findPathRow(db, breedSlug, slug)) !== undefined

export const hasDog = async (db: Db, id: string): Promise<boolean> => (await dogIdRows(db, { id })).length > 0

/**
 * Finds the dog of a path. A name that ends in a number is stored with it, so the full slug is tried first. `toby-1`
 * stands for `toby`; capitals and accents are ignored. Any path but the dog's current one is `moved`.
 */
export async function findByPath(db: Db, breed: string, name: string): Promise<PathLookup> {
  const breedSlug = slugify(breed)
  const slug = slugify(name)
  const row =
    (await findPathRow(db, breedSlug, slug)) ??
    (slug.endsWith('-1') ? await findPathRow(db, breedSlug, slug.slice(0, -2)) : undefined)
  if (!row) return { kind: 'missing' }
  const dog = row.dog_id && (await findDog(db, row.dog_id))
  if (!dog) return { kind: 'gone' }
  return dog.path === `/${breed}/${name}` ? { kind: 'found', dog } : { kind: 'moved', path: dog.path }
}

/** Whether `slug` is `base`, alone or with a number: `toby` and `toby-2` are slugs of `toby`. */
const isSlugOf = (slug: string, base: string) =>
  slug === base || /^-\d+$/.test(slug.startsWith(base) ? slug.slice(base.length) : '')

/** Paths that one dog may reserve: none is given up. */
export const MAX_PATHS = 100

/**
 * Reserves the path of a dog of this breed and name in dog_paths: the bare name, else with the first free number. No
 * other dog ever gets it, not even after a rename or a deletion. A dog that returns to an earlier name gets its earlier
 * path back.
 * @returns the slug
 * @throws AppError 409 for a dog with MAX_PATHS
 */
export async function reservePath(
  trx: Trx,
  dogId: string,
  breedSlug: string,
  name: string,
  now: number,
): Promise<string> {
  const base = nameSlug(name)
  const reserved = await trx
    .selectFrom('dog_paths')
    .select('slug')
    .select('breed_slug')
    .where('dog_id', '=', dogId)
    .orderBy('created_at', 'desc')
    .execute()
  const earlier = reserved.find((row) => row.breed_slug === breedSlug && isSlugOf(row.slug, base))
  if (earlier) return earlier.slug
  if (reserved.length >= MAX_PATHS)
    throw new AppError(
      409,
      'Este perro ya ha cambiado demasiadas veces de nombre o de raza. Ponle uno de los anteriores.',
    )
  for (;;) {
    const slug = await findFreeSlug(trx, breedSlug, base)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('dog_paths')
      .values({ breed_slug: breedSlug, slug, dog_id: dogId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    // Another transaction may have reserved it since.
    if (numInsertedOrUpdatedRows) return slug
  }
}

/** Doubles until a number is free, then bisects: a hundred thousand namesakes cost some thirty look-ups. */
async function findFreeSlug(db: Db, breedSlug: string, base: string): Promise<string> {
  const slugOf = (n: number) => (n === 1 ? base : `${base}-${n}`)
  const isTaken = async (n: number) => (await findPathRow(db, breedSlug, slugOf(n))) !== undefined
  let free = 1
  while (await isTaken(free)) free *= 2
  let taken = Math.floor(free / 2)
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return slugOf(free)
}
