import type { Db } from '#db/client.ts'
import { countLostDogs, readLostDogs } from '#features/lost/list/lost-list.server.ts'
import { provinceNames } from '#features/places/provinces.server.ts'
import { lostListPath } from '#features/lost/list/lost-list.ts'
import { type LostStrip, STRIP_DOGS } from './lost-strip.ts'

/**
 * The newest open cases for the strip above a list; null where there are none. By the indexes lost_cases_opened and lost_cases_province.
 * @param provinces INE numbers; everywhere where it is left out
 */
export async function loadLostStrip(db: Db, provinces?: readonly string[]): Promise<LostStrip | null> {
  const filter = provinces ? { provinces } : {}
  const dogs = await readLostDogs(db, filter, STRIP_DOGS)
  if (dogs.length === 0) return null
  const [only] = provinces?.length === 1 ? provinces : []
  return {
    dogs,
    count: dogs.length < STRIP_DOGS ? dogs.length : await countLostDogs(db, filter),
    place: only === undefined ? (provinces ? 'cerca de ti' : '') : `en ${provinceNames().get(only) ?? 'tu provincia'}`,
    href: lostListPath({ province: only ?? null }),
  }
}

/** The strip of the provinces that are a member's: that of their home zone and those they follow. Null where they have none. */
export async function loadOwnLostStrip(db: Db, userId: string): Promise<LostStrip | null> {
  const provinces = await db
    .selectFrom('home_zones')
    .select('province as id')
    .where('user_id', '=', userId)
    .where('province', '!=', '')
    .union(db.selectFrom('follows').select('target_id as id').where('user_id', '=', userId).where('kind', '=', 'zone'))
    .execute()
  return provinces.length > 0
    ? loadLostStrip(
        db,
        provinces.map(({ id }) => id),
      )
    : null
}
