import type { Db } from '#db/client.ts'
import { prepared } from '#db/prepared.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { madridDay } from '#lib/dates.ts'

export interface MemberCounts {
  dogs: number
  breeds: number
  /** Breeds of the catalogue. */
  total: number
}

const countsOf = prepared((db, { userId }: { userId: string }) =>
  db.selectFrom('profiles').select(['dogs_count', 'breeds_count']).where('id', '=', userId),
)

/** What the sidebar counts of a member: one row, its figures kept by triggers. */
export async function memberCounts(db: Db, userId: string): Promise<MemberCounts> {
  const [row] = await countsOf(db, { userId })
  return { dogs: row?.dogs_count ?? 0, breeds: row?.breeds_count ?? 0, total: totalBreeds }
}

const addedOn = prepared((db, { day }: { day: number }) =>
  db
    .selectFrom('dog_day_tallies')
    .select((q) => q.fn.sum<number | null>('dogs').as('dogs'))
    .where('day', '=', day),
)

/** Dogs added today (Madrid), from the tallies: at most breeds x 6 rows of one day. */
export async function dogsToday(db: Db, now = Date.now()): Promise<number> {
  const [row] = await addedOn(db, { day: madridDay(now) })
  return Number(row?.dogs ?? 0)
}
