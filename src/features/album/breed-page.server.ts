import type { Db } from '#db/client.ts'
import { prepared } from '#db/prepared.ts'
import { type CatalogueBreed, catalogue, changedFields } from '#features/breeds/current.server.ts'
import { relatedBreeds } from '#features/breeds/find.server.ts'
import { breedImage, type OperatorPhoto } from '#features/breeds/operator.server.ts'
import { coverAlt } from '#features/dogs/alt.ts'
import { type Dog, shownName } from '#features/dogs/dogs.ts'
import { toDogs } from '#features/dogs/dog.server.ts'
import { readPage } from '#features/dogs/list.server.ts'
import { likedAmong } from '#features/likes/likes.server.ts'
import { type Cursor, readCursor, writeCursor } from '#lib/cursor.ts'
import { paths } from '#lib/paths.ts'

/** Dogs a breed's page starts with, one row (the page's weight is counted), and those «Ver más» adds, two rows. */
const FIRST_DOGS = 4
const MORE_DOGS = 8
/** Community photos beside the reference: one row of five thumbnails. */
const PHOTOS = 4

export interface BreedCard {
  slug: string
  name: string
  image: string
  discovered: boolean
}

export interface BreedPage {
  breed: CatalogueBreed
  /** Reference picture in its box and small; null where there is none (docs/product.md §26.1: '/placeholder.svg'). */
  image: string | null
  thumb: string | null
  photos: { url: string; name: string; path: string; alt: string }[]
  /** Dogs of the breed in the community. */
  count: number
  dogs: Dog[]
  /** Those of them that the member who looks likes. */
  liked: ReadonlySet<string>
  nextCursor: string | null
  /** True where the page starts after the newest dogs. */
  continued: boolean
  related: BreedCard[]
  /** Fields the admin has changed. */
  changed: string[]
}

/** Dogs per breed of these, by primary key of dog_tallies. */
export const countsOf = (db: Db, slugs: readonly string[]) =>
  db
    .selectFrom('dog_tallies')
    .select('breed_slug')
    .select((eb) => eb.fn.sum<number>('dogs').as('dogs'))
    .where('breed_slug', 'in', slugs)
    .groupBy('breed_slug')

const countRows = prepared((db, { slugs }: { slugs: readonly string[] }) => countsOf(db, slugs))

function cursorOf(text: string | null): Cursor | undefined {
  try {
    return text ? readCursor(text, 'recent') : undefined
  } catch {
    // Somebody edited the address: the newest dogs then.
    return undefined
  }
}

/** Breeds as small cards: with their portrait once somebody has found one, else as an empty place. */
export async function breedCards(
  db: Db,
  breeds: readonly CatalogueBreed[],
  photos: ReadonlyMap<string, OperatorPhoto>,
  counts?: ReadonlyMap<string, number>,
): Promise<BreedCard[]> {
  if (breeds.length === 0) return []
  const known = counts ?? (await countMap(db, breeds))
  return breeds.map((breed) => ({
    slug: breed.slug,
    name: breed.nombre_castellano,
    image: breedImage(breed, 'thumb', photos),
    discovered: (known.get(breed.slug) ?? 0) > 0,
  }))
}

async function countMap(db: Db, breeds: readonly CatalogueBreed[]): Promise<ReadonlyMap<string, number>> {
  const slugs = breeds.map((breed) => breed.slug)
  const rows = await countRows(db, { slugs })
  return new Map(rows.map((row) => [row.breed_slug, Number(row.dogs)]))
}

/**
 * Everything on a breed's page: five short reads at most, all by index, however many dogs there are. `from` continues the dogs
 * after a cursor; `userId` is who looks.
 */
export async function loadBreedPage(
  db: Db,
  slug: string,
  from: string | null,
  operator: ReadonlyMap<string, OperatorPhoto>,
  userId: string | null = null,
): Promise<BreedPage | null> {
  const all = await catalogue(db)
  const breed = all.bySlug.get(slug)
  if (!breed) return null
  const cursor = cursorOf(from)
  const size = cursor ? MORE_DOGS : FIRST_DOGS
  const rows = await readPage(db, { breed_slug: slug }, 'recent', size + 1, cursor)
  const dogs = await toDogs(db, rows.slice(0, size))
  const last = rows.length > size ? rows[size - 1] : undefined
  const related = relatedBreeds(all, breed)
  const counts = await countMap(db, [breed, ...related])
  const none = breed.imagen_purina === paths.placeholder && !operator.has(slug)
  return {
    breed,
    image: none ? null : breedImage(breed, 'breed', operator),
    thumb: none ? null : breedImage(breed, 'small', operator),
    photos: dogs
      .filter((dog) => dog.photo_url)
      .slice(0, PHOTOS)
      .map((dog) => ({ url: dog.photo_url, name: shownName(dog.name), path: dog.path, alt: coverAlt(dog) })),
    count: counts.get(slug) ?? 0,
    dogs,
    liked: await likedAmong(
      db,
      userId,
      dogs.map((dog) => dog.id),
    ),
    nextCursor: last ? writeCursor({ order: 'recent', value: last.created_at, id: last.id }) : null,
    continued: cursor !== undefined,
    changed: changedFields(breed),
    related: await breedCards(db, related, operator, counts),
  }
}
