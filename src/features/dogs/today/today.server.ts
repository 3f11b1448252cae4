import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { madridDay } from '#lib/dates.ts'
import type { TodayCounts } from './today.ts'
import { HOUR_MS } from '#lib/time.ts'

const dogsOfDay = prepareQuery((db, { day }: { day: number }) =>
  db
    .selectFrom('dog_day_tallies')
    .select(({ fn }) => fn.sum<number | null>('dogs').as('dogs'))
    .where('day', '=', day),
)

/** Dogs added today (Madrid), from dog_day_tallies: at most breeds x 6 rows. */
export async function dogsToday(db: Db, now = Date.now()): Promise<number> {
  const [row] = await dogsOfDay(db, { day: madridDay(now) })
  return Number(row?.dogs ?? 0)
}

const likesSinceHour = prepareQuery((db, { hour }: { hour: number }) =>
  db
    .selectFrom('like_hour_tallies')
    .select(({ fn }) => fn.sum<number | null>('likes').as('likes'))
    .where('hour', '>=', hour),
)

/** The hour (since 1970) in which the Madrid day of `now` began; days of 23 and 25 hours included. */
function firstHourOfDay(now: number): number {
  const day = madridDay(now)
  let hour = Math.floor(now / HOUR_MS)
  while (madridDay((hour - 1) * HOUR_MS) === day) hour--
  return hour
}

/** Dogs and likes of today (Madrid), from tallies only: likes are the sum of at most 25 rows. */
export async function todayCounts(db: Db, now = Date.now()): Promise<TodayCounts> {
  const [row] = await likesSinceHour(db, { hour: firstHourOfDay(now) })
  return { dogs: await dogsToday(db, now), likes: Number(row?.likes ?? 0) }
}
