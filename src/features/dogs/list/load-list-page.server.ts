import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { AppError } from '#lib/errors.ts'
import type { DogPage } from '#features/dogs/dogs.ts'
import { listDogs } from './list.server.ts'
import { parseListQuery } from './list-query.ts'

const breedSlugsWithDogs = prepareQuery((db) =>
  db.selectFrom('dog_tallies').select('breed_slug').distinct().where('dogs', '>', 0),
)

/** The breeds with dogs, A–Z, for the breed filter. From dog_tallies, at most breeds x 6 rows. */
export async function breedsWithDogs(db: Db): Promise<{ slug: string; name: string }[]> {
  const rows = await breedSlugsWithDogs(db, {})
  const present = new Set(rows.map((row) => row.breed_slug))
  return breedNames.filter((breed) => present.has(breed.slug))
}

/** The list page's initial state, for a member or a visitor. The page itself shows a database error. */
export async function loadList(db: Db, params: URLSearchParams, userId: string | null) {
  const query = parseListQuery(params)
  const cursor = params.get('cursor') ?? undefined
  let page: DogPage | null = null
  const filters = { breed: query.breed ?? undefined, size: query.size ?? undefined, sort: query.sort }
  try {
    page = await listDogs(db, { ...filters, cursor }).catch((error: unknown) => {
      // An old link with a cursor of another sort order gets the first page.
      if (error instanceof AppError && cursor) return listDogs(db, filters)
      throw error
    })
  } catch (error) {
    console.error('perrario · la lista de perros no se pudo leer:', error)
  }
  const liked = await filterLikedIds(db, userId, page?.dogs.map((dog) => dog.id) ?? [])
  const breeds = page ? await breedsWithDogs(db) : []
  return { start: { query, page, liked: [...liked] }, breeds }
}
