import type { Db } from '#db/client.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { madridDay } from '#lib/dates.ts'

export interface MemberCounts {
  dogs: number
  breeds: number
  /** Breeds of the catalogue. */
  total: number
}

/** What the sidebar counts of a member: one row, its figures kept by triggers. */
export async function memberCounts(db: Db, userId: string): Promise<MemberCounts> {
  const row = await db
    .selectFrom('profiles')
    .select(['dogs_count', 'breeds_count'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return { dogs: row?.dogs_count ?? 0, breeds: row?.breeds_count ?? 0, total: totalBreeds }
}

/** Dogs added today (Madrid), from the tallies: at most breeds x 6 rows of one day. */
export async function dogsToday(db: Db, now = Date.now()): Promise<number> {
  const row = await db
    .selectFrom('dog_day_tallies')
    .select((q) => q.fn.sum<number | null>('dogs').as('dogs'))
    .where('day', '=', madridDay(now))
    .executeTakeFirst()
  return Number(row?.dogs ?? 0)
}
