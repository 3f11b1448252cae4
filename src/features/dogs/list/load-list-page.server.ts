import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { AppError } from '#lib/errors.ts'
import type { DogPage } from '#features/dogs/dogs.ts'
import { listDogs } from './list.server.ts'
import { LOAD_FAILED, parseListQuery } from './list-query.ts'

const breedSlugsWithDogs = prepareQuery((db) =>
  db.selectFrom('dog_tallies').select('breed_slug').distinct().where('dogs', '>', 0),
)

/** The breeds that have dogs, in A–Z order: what the breed filter offers. From dog_tallies, at most breeds x 6 rows. */
export async function breedsWithDogs(db: Db): Promise<{ slug: string; name: string }[]> {
  const rows = await breedSlugsWithDogs(db, {})
  const present = new Set(rows.map((row) => row.breed_slug))
  return breedNames.filter((breed) => present.has(breed.slug))
}

/** Everything the list page starts from, for this member or a visitor. A failure of the database is told on the page, not by an error page. */
export async function loadList(db: Db, params: URLSearchParams, userId: string | null) {
  const query = parseListQuery(params)
  const cursor = params.get('cursor') ?? undefined
  let page: DogPage | null = null
  try {
    page = await listDogs(db, {
      breed: query.breed ?? undefined,
      size: query.size ?? undefined,
      sort: query.sort,
      cursor,
    })
  } catch (error) {
    // A cursor from another order or an old link: the list from its start is what the reader wants.
    if (error instanceof AppError && cursor) page = await listDogs(db, { sort: query.sort })
    else console.error(error)
  }
  const liked = await filterLikedIds(db, userId, page?.dogs.map((dog) => dog.id) ?? [])
  const breeds = page ? await breedsWithDogs(db) : []
  return { start: { query, page, liked: [...liked], error: page ? null : LOAD_FAILED }, breeds }
}
