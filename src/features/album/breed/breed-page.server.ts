import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { type CatalogueBreed, getCatalogue, changedFields } from '#features/breeds/current-catalogue.server.ts'
import { relatedBreeds } from '#features/breeds/lookup.server.ts'
import { breedImageUrl, type OperatorPhoto } from '#features/breeds/operator-photos.server.ts'
import { coverAlt } from '#features/dogs/photo-alt.ts'
import { type Dog, displayName } from '#features/dogs/dogs.ts'
import { toDogs } from '#features/dogs/dog.server.ts'
import { readDogPage } from '#features/dogs/list/list.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { type Cursor, decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { paths } from '#lib/paths.ts'

/** Dogs on a breed's first page, one row for the sake of its weight, and on those of «Ver más», two rows. */
const FIRST_PAGE_DOGS = 4
const NEXT_PAGE_DOGS = 8
/** Community photos beside the reference: one row of five thumbnails. */
const GALLERY_PHOTOS = 4

export interface BreedCard {
  slug: string
  name: string
  image: string
  discovered: boolean
}

export interface BreedPage {
  breed: CatalogueBreed
  /** Reference picture, large and small; null where there is none (docs/product.md §26.1: '/placeholder.svg'). */
  image: string | null
  thumb: string | null
  /** Of the most liked dogs. */
  photos: { id: string; url: string; name: string; path: string; alt: string }[]
  /** Dogs of the breed in the community. */
  count: number
  dogs: Dog[]
  /** Ids of those dogs that the viewer likes. */
  liked: ReadonlySet<string>
  nextCursor: string | null
  /** Whether the page starts after the newest dogs. */
  isContinued: boolean
  related: BreedCard[]
  /** Fields the admin has changed. */
  changed: string[]
}

/** Dogs per breed for these slugs, by the primary key of dog_tallies. */
export const breedCountsQuery = (db: Db, slugs: readonly string[]) =>
  db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .select((eb) => eb.fn.sum<number>('dogs').as('dogs'))
    .where('breed_slug', 'in', slugs)
    .groupBy('breed_slug')

const countRows = prepareQuery((db, { slugs }: { slugs: readonly string[] }) => breedCountsQuery(db, slugs))

function parseCursor(text: string | null): Cursor | undefined {
  try {
    return text ? decodeCursor(text, 'recent') : undefined
  } catch {
    // The address was edited by hand: the page starts with the newest dogs.
    return undefined
  }
}

/** Breeds as small cards: with their portrait where the community has one, else as an empty slot. */
export async function breedCards(
  db: Db,
  breeds: readonly CatalogueBreed[],
  photos: ReadonlyMap<string, OperatorPhoto>,
  counts?: ReadonlyMap<string, number>,
): Promise<BreedCard[]> {
  if (breeds.length === 0) return []
  const dogCounts = counts ?? (await findBreedCounts(db, breeds))
  return breeds.map((breed) => ({
    slug: breed.slug,
    name: breed.nombre_castellano,
    image: breedImageUrl(breed, 'thumb', photos),
    discovered: (dogCounts.get(breed.slug) ?? 0) > 0,
  }))
}

async function findBreedCounts(db: Db, breeds: readonly CatalogueBreed[]): Promise<ReadonlyMap<string, number>> {
  const slugs = breeds.map((breed) => breed.slug)
  const rows = await countRows(db, { slugs })
  return new Map(rows.map((row) => [row.breed_slug, Number(row.dogs)]))
}

/**
 * Loads a breed's page: seven short reads at most, all by index, whatever the number of dogs.
 * @param from cursor after which the dogs continue; invalid ones are ignored
 * @param userId the viewer, for their likes
 * @returns null where the catalogue has no such breed
 */
export async function loadBreedPage(
  db: Db,
  slug: string,
  from: string | null,
  operatorPhotos: ReadonlyMap<string, OperatorPhoto>,
  userId: string | null = null,
): Promise<BreedPage | null> {
  const catalogue = await getCatalogue(db)
  const breed = catalogue.bySlug.get(slug)
  if (!breed) return null
  const cursor = parseCursor(from)
  const size = cursor ? NEXT_PAGE_DOGS : FIRST_PAGE_DOGS
  const rows = await readDogPage(db, { breed_slug: slug }, 'recent', size + 1, cursor)
  const dogs = await toDogs(db, rows.slice(0, size))
  const popular = await toDogs(db, await readDogPage(db, { breed_slug: slug }, 'votes-desc', GALLERY_PHOTOS))
  const last = rows.length > size ? rows[size - 1] : undefined
  const related = relatedBreeds(catalogue, breed)
  const counts = await findBreedCounts(db, [breed, ...related])
  const hasImage = breed.imagen_purina !== paths.placeholder || operatorPhotos.has(slug)
  return {
    breed,
    image: hasImage ? breedImageUrl(breed, 'breed', operatorPhotos) : null,
    thumb: hasImage ? breedImageUrl(breed, 'small', operatorPhotos) : null,
    photos: popular
      .filter((dog) => dog.photo_url)
      .map((dog) => ({
        id: dog.id,
        url: dog.photo_url,
        name: displayName(dog.name),
        path: dog.path,
        alt: coverAlt(dog),
      })),
    count: counts.get(slug) ?? 0,
    dogs,
    liked: await filterLikedIds(
      db,
      userId,
      dogs.map((dog) => dog.id),
    ),
    nextCursor: last ? encodeCursor({ order: 'recent', value: last.created_at, id: last.id }) : null,
    isContinued: cursor !== undefined,
    changed: changedFields(breed),
    related: await breedCards(db, related, operatorPhotos, counts),
  }
}
