import type { Db } from '#db/client.ts'
import { prepared } from '#db/prepared.ts'
import { madridDay } from '#lib/dates.ts'
import type { DogStats } from './dogs.ts'
import type { DogFilter } from './list.server.ts'

/**
 * The figures of the statistics strip. Sums come from the tallies (breeds x 6 rows at most), extremes from the ends of
 * the list's own indexes: the cost does not grow with the number of dogs.
 */
export async function dogStats(db: Db, filter: DogFilter, now = Date.now()): Promise<DogStats> {
  const everything = await sums(db, {}, now)
  const filtered = filter.breed_slug || filter.size ? await sums(db, filter, now) : everything
  return {
    ...filtered,
    total: everything.dogs,
    breedsTotal: everything.breeds,
    todayTotal: everything.today,
    ...(await extremes(db, filter)),
  }
}

const NARROW = ['breed_slug', 'size'] as const

/** Grouped by the first column of the tallies' key, so that breeds are counted as they pass, without a set of them. */
const tallies = prepared((db, filter: DogFilter) =>
  db
    .selectFrom((from) => {
      let byBreed = from.selectFrom('dog_tallies').where('dogs', '>', 0)
      for (const column of NARROW) if (filter[column]) byBreed = byBreed.where(column, '=', filter[column])
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

const addedOn = prepared((db, { day, ...filter }: DogFilter & { day: number }) => {
  let rows = db
    .selectFrom('dog_day_tallies')
    .where('day', '=', day)
    .select(({ fn }) => fn.sum<number | null>('dogs').as('dogs'))
  for (const column of NARROW) if (filter[column]) rows = rows.where(column, '=', filter[column])
  return rows
})

async function sums(db: Db, filter: DogFilter, now: number) {
  const [all] = await tallies(db, filter)
  const [added] = await addedOn(db, { ...filter, day: madridDay(now) })
  return { dogs: all?.dogs ?? 0, breeds: all?.breeds ?? 0, likes: all?.likes ?? 0, today: added?.dogs ?? 0 }
}

/** Greatest and smallest of each figure: the two ends of an index, six look-ups in one statement. */
export function extremesQuery(db: Db, filter: DogFilter) {
  const end = (column: 'votes' | 'weight' | 'age_months', direction: 'asc' | 'desc') => {
    let query = db.selectFrom('dogs').select(column)
    if (filter.breed_slug) query = query.where('breed_slug', '=', filter.breed_slug)
    if (filter.size) query = query.where('size', '=', filter.size)
    if (column !== 'votes') query = query.where(column, 'is not', null)
    return query.orderBy(column, direction).limit(1)
  }
  return db.selectNoFrom([
    end('votes', 'desc').as('likesMax'),
    end('votes', 'asc').as('likesMin'),
    end('weight', 'desc').as('weightMax'),
    end('weight', 'asc').as('weightMin'),
    end('age_months', 'desc').as('ageMax'),
    end('age_months', 'asc').as('ageMin'),
  ])
}

const ends = prepared(extremesQuery)

const extremes = async (db: Db, filter: DogFilter) => (await ends(db, filter))[0]!
