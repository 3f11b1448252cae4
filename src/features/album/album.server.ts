import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { type CatalogueBreed, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { otherNames } from '#features/breeds/catalogue.server.ts'
import { searchBreeds } from '#features/breeds/search.ts'
import { breedImageUrl, type OperatorPhoto } from '#features/breeds/operator-photos.server.ts'
import { paths } from '#lib/paths.ts'
import { foldText } from '#lib/text/text.ts'
import {
  type AlbumQuery,
  type AlbumTab,
  type AlbumView,
  letterTabs,
  PHOTOS_PER_ROW,
  type Slot,
  PHOTOS_PER_SLOT,
  SLOTS_PER_SPREAD,
} from './album.ts'

/** Whose dogs fill the album: everyone's, a member's, or those of a visitor (none). */
export type AlbumOwner = 'everyone' | { userId: string } | 'visitor'

/** Dogs per breed: one read of a tally table with a row per breed (and size), not of the dogs. */
export async function countDogsByBreed(db: Db, owner: AlbumOwner): Promise<ReadonlyMap<string, number>> {
  if (owner === 'visitor') return new Map()
  const rows =
    owner === 'everyone'
      ? await communityCountRows(db, {})
      : await db
          .selectFrom('member_breeds')
          .select(['breed_slug', 'dogs'])
          .where('user_id', '=', owner.userId)
          .execute()
  return new Map(rows.map((row) => [row.breed_slug, Number(row.dogs)]))
}

export const communityCountsQuery = (db: Db) =>
  db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .select((eb) => eb.fn.sum<number>('dogs').as('dogs'))
    .groupBy('breed_slug')
    .having((eb) => eb.fn.sum('dogs'), '>', 0)

const communityCountRows = prepareQuery((db) => communityCountsQuery(db))

/** Covers of a breed's newest dogs, by the index dogs_breed_created or member_dogs_breed, at most `limit`. */
export function newestCoversQuery(db: Db, owner: AlbumOwner, slug: string, limit: number) {
  const newestDogs =
    typeof owner === 'object'
      ? db
          .selectFrom('member_dogs as m')
          .innerJoin('dogs as d', 'd.id', 'm.dog_id')
          .where('m.user_id', '=', owner.userId)
          .where('m.breed_slug', '=', slug)
          .orderBy('m.created_at', 'desc')
          .orderBy('m.dog_id', 'desc')
      : db
          .selectFrom('dogs as d')
          .where('d.breed_slug', '=', slug)
          .orderBy('d.created_at', 'desc')
          .orderBy('d.id', 'desc')
  return newestDogs.select(['d.breed_slug', 'd.photo_url']).limit(limit)
}

interface CoversRequest {
  /** The member whose dogs they are; undefined for everyone's. */
  userId?: string | undefined
  slugs: readonly string[]
  limit: number
}

/** One statement for the whole spread: an arm per breed, each an index walk of a few rows. */
const coverRows = prepareQuery((db, { userId, slugs, limit }: CoversRequest) => {
  const owner = userId === undefined ? 'everyone' : { userId }
  const [first, ...rest] = slugs.map((slug) =>
    db.selectFrom(newestCoversQuery(db, owner, slug, limit).as('newest')).selectAll(),
  )
  if (!first) throw new Error('Covers of no breed')
  return rest.reduce((all, next) => all.unionAll(next), first)
})

/** Statements have a multiple of so many arms, so that few are prepared. No dog has the slug of the arms left over. */
const ARMS_STEP = 8
const UNUSED_ARM_SLUG = ''

/** Photos of the newest dogs of these breeds, at most `limit` each; every slug is a key, also without photos. */
export async function findCovers(db: Db, owner: AlbumOwner, slugs: readonly string[], limit: number) {
  const bySlug = new Map<string, string[]>(slugs.map((slug) => [slug, []]))
  if (slugs.length === 0) return bySlug
  const padding = Array.from(
    { length: Math.ceil(slugs.length / ARMS_STEP) * ARMS_STEP - slugs.length },
    () => UNUSED_ARM_SLUG,
  )
  const userId = typeof owner === 'object' ? owner.userId : undefined
  const rows = await coverRows(db, { userId, slugs: [...slugs, ...padding], limit })
  for (const row of rows) if (row.photo_url) bySlug.get(row.breed_slug)?.push(row.photo_url)
  return bySlug
}

/** The breeds that a search finds, best first. Where no name contains the text, the breeds' other names are searched. */
export function findBreeds(breeds: readonly CatalogueBreed[], text: string): CatalogueBreed[] {
  if (!text) return [...breeds]
  const byName = new Map(breeds.map((breed) => [breed.nombre_castellano, breed]))
  const found = searchBreeds(text, [...byName.keys()])
  if (found.length > 0) return found.flatMap((name) => byName.get(name) ?? [])
  return breeds.filter((breed) => {
    const names = [breed.nombre_original, breed.nombre_ingles, ...breed.alias, ...otherNames(breed.nombre_castellano)]
    return searchBreeds(text, names).length > 0
  })
}

const tabsByBreeds = new WeakMap<readonly CatalogueBreed[], AlbumTab[]>()

/** The letter tabs of all breeds; grouped once per version of the catalogue. */
function catalogueTabs(breeds: readonly CatalogueBreed[]): AlbumTab[] {
  let tabs = tabsByBreeds.get(breeds)
  if (!tabs) {
    tabs = letterTabs(breeds.map((breed) => foldText(breed.nombre_castellano).charAt(0).toUpperCase()))
    tabsByBreeds.set(breeds, tabs)
  }
  return tabs
}

/**
 * One spread of an album (docs/product.md §6.2). Reads the tallies and the photos of the 24 breeds shown, whatever the number of
 * dogs. Breeds that are no longer in the catalogue do not count.
 */
export async function readAlbum(
  db: Db,
  query: AlbumQuery,
  owner: AlbumOwner,
  operatorPhotos: ReadonlyMap<string, OperatorPhoto> = new Map(),
): Promise<AlbumView> {
  const { breeds } = await getCatalogue(db)
  const counts = await countDogsByBreed(db, owner)
  const countOf = (breed: CatalogueBreed) => counts.get(breed.slug) ?? 0
  const found = findBreeds(breeds, query.search)
  // The catalogue is alphabetical and sort is stable: equal counts stay in the order of names.
  if (query.order === 'status') found.sort((a, b) => countOf(b) - countOf(a) || a.number - b.number)
  const pages = Math.max(1, Math.ceil(found.length / SLOTS_PER_SPREAD))
  const page = Math.min(query.page, pages)
  const shown = found.slice((page - 1) * SLOTS_PER_SPREAD, page * SLOTS_PER_SPREAD)
  const photos = await findCovers(
    db,
    owner,
    shown.filter((breed) => countOf(breed) > 0).map((breed) => breed.slug),
    query.view === 'list' ? PHOTOS_PER_ROW : PHOTOS_PER_SLOT,
  )
  const discovered = breeds.filter((breed) => countOf(breed) > 0)
  const isAlphabetical = query.order === 'az' && !query.search
  return {
    query: { ...query, page },
    total: breeds.length,
    discovered: discovered.length,
    dogs: discovered.reduce((sum, breed) => sum + countOf(breed), 0),
    found: found.length,
    slots: shown.map((breed) =>
      toSlot(breed, countOf(breed), photos.get(breed.slug) ?? [], breedImageUrl(breed, 'thumb', operatorPhotos)),
    ),
    page,
    pages,
    tabs: isAlphabetical ? catalogueTabs(breeds) : [],
  }
}

const toSlot = (breed: CatalogueBreed, count: number, photos: string[], image: string): Slot => ({
  slug: breed.slug,
  name: breed.nombre_castellano,
  number: breed.number,
  count,
  photos,
  image,
  silhouette: paths.silhouette(breed.slug),
})
