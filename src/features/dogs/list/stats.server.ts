import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { madridDay } from '#lib/dates.ts'
import type { DogStats } from '#features/dogs/dogs.ts'
import type { DogFilter } from './list.server.ts'

/**
 * The figures of the statistics strip. Sums come from the tallies (at most breeds x 6 rows), extremes from the ends of the
 * list's indexes: the cost does not grow with the number of dogs.
 */
export async function dogStats(db: Db, filter: DogFilter, now = Date.now()): Promise<DogStats> {
  const everything = await readSums(db, {}, now)
  const filtered = filter.breed_slug || filter.size ? await readSums(db, filter, now) : everything
  return {
    ...filtered,
    total: everything.dogs,
    breedsTotal: everything.breeds,
    todayTotal: everything.today,
    ...(await readExtremes(db, filter)),
  }
}

const FILTER_COLUMNS = ['breed_slug', 'size'] as const

/** Groups by the first column of the tallies' key, so that SQLite counts the breeds in order without a temporary table. */
const tallySums = prepareQuery((db, filter: DogFilter) =>
  db
    .selectFrom((from) => {
      let byBreed = from.selectFrom('dog_tallies').where('dogs', '>', 0)
      for (const column of FILTER_COLUMNS) if (filter[column]) byBreed = byBreed.where(column, '=', filter[column])
      return byBreed
        .select(({ fn }) => [fn.sum<number>('dogs').as('dogs'), fn.sum<number>('likes').as('likes')])
        .groupBy('breed_slug')
        .as('by_breed')
    })
    .select(({ fn }) => [
      fn.countAll<number>().as('breeds'),
      fn.sum<number | null>('dogs').as('dogs'),
      fn.sum<number | null>('likes').as('likes'),
    ]),
)

const dogsOfDay = prepareQuery((db, { day, ...filter }: DogFilter & { day: number }) => {
  let rows = db
    .selectFrom('dog_day_tallies')
    .where('day', '=', day)
    .select(({ fn }) => fn.sum<number | null>('dogs').as('dogs'))
  for (const column of FILTER_COLUMNS) if (filter[column]) rows = rows.where(column, '=', filter[column])
  return rows
})

async function readSums(db: Db, filter: DogFilter, now: number) {
  const [sums] = await tallySums(db, filter)
  const [added] = await dogsOfDay(db, { ...filter, day: madridDay(now) })
  return { dogs: sums?.dogs ?? 0, breeds: sums?.breeds ?? 0, likes: sums?.likes ?? 0, today: added?.dogs ?? 0 }
}

/** The maximum and minimum of each figure: both ends of an index, six look-ups in one statement. */
export function extremesQuery(db: Db, filter: DogFilter) {
  const extreme = (column: 'votes' | 'weight' | 'age_months', direction: 'asc' | 'desc') => {
    let query = db.selectFrom('dogs').select(column)
    if (filter.breed_slug) query = query.where('breed_slug', '=', filter.breed_slug)
    if (filter.size) query = query.where('size', '=', filter.size)
    if (column !== 'votes') query = query.where(column, 'is not', null)
    return query.orderBy(column, direction).limit(1)
  }
  return db.selectNoFrom([
    extreme('votes', 'desc').as('likesMax'),
    extreme('votes', 'asc').as('likesMin'),
    extreme('weight', 'desc').as('weightMax'),
    extreme('weight', 'asc').as('weightMin'),
    extreme('age_months', 'desc').as('ageMax'),
    extreme('age_months', 'asc').as('ageMin'),
  ])
}

const extremeRows = prepareQuery(extremesQuery)

const readExtremes = async (db: Db, filter: DogFilter) => (await extremeRows(db, filter))[0]!
