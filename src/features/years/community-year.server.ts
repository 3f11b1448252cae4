import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { listProvinces, provinceNames } from '#features/places/provinces.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { type CommunityYear, TOP_COMMUNITY_BREEDS } from './community-year.ts'
import { isYearOpen, latestYear, yearRange } from './years.ts'

interface StoredFigures {
  dogs: number
  likes: number
  breedCount: number
  breeds: [slug: string, dogs: number][]
  provinces: [id: string, dogs: number][]
  months: number[]
}

/** From the tables of counts, and for provinces by ranges of index dogs_province_created, one at a time. */
async function countYear(db: Db, year: number, signal?: AbortSignal): Promise<StoredFigures> {
  const { from, to } = yearRange(year)
  const ofYear = db
    .selectFrom('dog_day_tallies')
    .where('day', '>', year * 10_000)
    .where('day', '<', (year + 1) * 10_000)
  const breeds = await ofYear
    .select(({ fn }) => ['breed_slug', fn.sum<number>('dogs').as('dogs')])
    .groupBy('breed_slug')
    .having(({ fn }) => fn.sum<number>('dogs'), '>', 0)
    .orderBy('dogs', 'desc')
    .orderBy('breed_slug')
    .execute()
  const days = await ofYear
    .select(({ fn }) => ['day', fn.sum<number>('dogs').as('dogs')])
    .groupBy('day')
    .execute()
  const months = Array.from({ length: 12 }, () => 0)
  for (const { day, dogs } of days) months[(Math.floor(day / 100) % 100) - 1]! += dogs
  const { likes } = await db
    .selectFrom('like_hour_tallies')
    .select(({ fn }) => fn.sum<number | null>('likes').as('likes'))
    .where('hour', '>=', Math.floor(from / HOUR_MS))
    .where('hour', '<', Math.floor(to / HOUR_MS))
    .executeTakeFirstOrThrow()
  const provinces: [string, number][] = []
  for (const { id } of listProvinces()) {
    signal?.throwIfAborted()
    await nextTurn()
    const { dogs } = await countProvince(db, id, { from, to })
    if (dogs > 0) provinces.push([id, dogs])
  }
  return {
    dogs: breeds.reduce((sum, row) => sum + row.dogs, 0),
    likes: likes ?? 0,
    breedCount: breeds.length,
    breeds: breeds.slice(0, TOP_COMMUNITY_BREEDS).map((row) => [row.breed_slug, row.dogs]),
    provinces: provinces.toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    months,
  }
}

const countProvince = (db: Db, province: string, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('dogs')
    .select(({ fn }) => fn.countAll<number>().as('dogs'))
    .where('province', '=', province)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .executeTakeFirstOrThrow()

/** Whether the stored figures are of a day ago while the year goes on, or of before its end. */
const isDue = (computedAt: number | undefined, end: number, now: number): boolean =>
  computedAt === undefined || (computedAt < end && (now >= end || now - computedAt >= DAY_MS))

/**
 * Counts the last year that can be looked back on: once a day in December, and for good when it is over. A year without dogs has no row.
 * @returns whether it has counted
 */
export async function refreshCommunityYear(db: Db, now: number, signal?: AbortSignal): Promise<boolean> {
  const year = latestYear(now)
  const row = await db.selectFrom('community_years').select('computed_at').where('year', '=', year).executeTakeFirst()
  if (!isDue(row?.computed_at, yearRange(year).to, now)) return false
  const figures = await countYear(db, year, signal)
  if (figures.dogs === 0) return false
  const values = { figures: JSON.stringify(figures), computed_at: now }
  await transact(db, (trx) =>
    trx
      .insertInto('community_years')
      .values({ year, ...values })
      .onConflict((conflict) => conflict.column('year').doUpdateSet(values))
      .execute(),
  )
  return true
}

/** The community's year with today's names of breeds, counted now where nobody has yet; null where there is none. */
export async function readCommunityYear(db: Db, year: number, now = Date.now()): Promise<CommunityYear | null> {
  const row = await db.selectFrom('community_years').selectAll().where('year', '=', year).executeTakeFirst()
  if (!row && !isYearOpen(year, now)) return null
  const { breeds, provinces, ...figures } = row ? (JSON.parse(row.figures) as StoredFigures) : await countYear(db, year)
  if (figures.dogs === 0) return null
  const { bySlug } = await getCatalogue(db)
  const names = provinceNames()
  return {
    ...figures,
    year,
    breeds: breeds.map(([slug, dogs]) => ({ slug, dogs, name: bySlug.get(slug)?.nombre_castellano ?? slug })),
    provinces: provinces.map(([id, dogs]) => ({ id, dogs, name: names.get(id) ?? id })),
    computedAt: row?.computed_at ?? now,
  }
}

/** Years of the community that have been counted, newest first. */
export async function listCommunityYears(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('community_years').select('year').orderBy('year', 'desc').execute()
  return rows.map(({ year }) => year)
}
