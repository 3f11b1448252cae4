import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { PUBLIC_COLUMNS, toPublicCase } from '#features/lost/open-cases.server.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { listProvinces } from '#features/places/provinces.server.ts'
import { type Cursor, decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import {
  COUNTED_MAX,
  type LostDog,
  type LostOptions,
  type LostPage,
  type LostQuery,
  type LostSize,
  periodStart,
} from './lost-list.ts'

// A dog that is hidden or deleted has no row in `dogs`, and who waits for the deletion of their account owns no dog: such a
// case is in none of these lists. As in all lists of dogs, a block between its owner and the reader hides nothing.

export const LOST_PAGE_SIZE = 24
const ORDER = 'lost'

export interface LostFilter {
  /** INE numbers; any where it is left out. */
  provinces?: readonly string[]
  breed_slug?: string
  size?: LostSize
  /** Gone since this moment or later, ms. */
  since?: number
}

/** The filter of a list's address. @param now ms, from which its period counts back */
export const toLostFilter = (query: LostQuery, now: number): LostFilter => ({
  ...(query.province && { provinces: [query.province] }),
  ...(query.breed && { breed_slug: query.breed }),
  ...(query.size && { size: query.size }),
  ...(query.period && { since: periodStart(query.period, now) }),
})

/**
 * Open cases with their dogs, newest first. The cases are few beside the dogs, so each row of lost_cases_opened or lost_cases_province
 * looks its dog up by the primary key: a cross join keeps SQLite from starting at all dogs of a breed.
 */
export function lostDogRows(db: Db, { provinces, breed_slug, size, since }: LostFilter, limit: number, after?: Cursor) {
  let rows = db
    .selectFrom('lost_cases')
    .crossJoin('dogs')
    .leftJoin('dog_images', (join) =>
      join.onRef('dog_images.dog_id', '=', 'dogs.id').onRef('dog_images.url', '=', 'dogs.photo_url'),
    )
    .select(PUBLIC_COLUMNS)
    .select(['lost_cases.updated_at', 'dogs.name', 'dogs.breed', 'dogs.photo_url', 'dogs.path_breed', 'dogs.path_slug'])
    .select('dog_images.blur')
    .whereRef('dogs.id', '=', 'lost_cases.dog_id')
    .whereRef('dogs.owner_id', '=', 'lost_cases.owner_id')
  const [province, ...more] = provinces ?? []
  if (provinces)
    rows =
      more.length === 0
        ? rows.where('lost_cases.province', '=', province ?? '-')
        : rows.where('lost_cases.province', 'in', provinces)
  if (breed_slug) rows = rows.where('dogs.breed_slug', '=', breed_slug)
  if (size) rows = rows.where('dogs.size', '=', size)
  // Not bounded by `opened_at`: an owner may change `since` to a time after the case was opened.
  if (since !== undefined) rows = rows.where('lost_cases.since', '>=', since)
  if (after)
    rows = rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('lost_cases.opened_at', 'lost_cases.id'), '<', tuple(after.value, after.id)),
    )
  return rows.orderBy('lost_cases.opened_at', 'desc').orderBy('lost_cases.id', 'desc').limit(limit)
}

type LostRow = Awaited<ReturnType<ReturnType<typeof lostDogRows>['execute']>>[number]

const toLostDog = (row: LostRow): LostDog => ({
  ...toPublicCase(row),
  updated_at: row.updated_at,
  name: row.name,
  breed: row.breed,
  photo_url: row.photo_url,
  blur: row.blur || null,
  path: paths.dog(row),
})

/** The newest open cases. */
export const readLostDogs = async (db: Db, filter: LostFilter, limit: number, after?: Cursor): Promise<LostDog[]> =>
  (await lostDogRows(db, filter, limit, after).execute()).map(toLostDog)

/** A page of the list, newest first. @throws AppError 422 for a bad cursor */
export async function listLostDogs(
  db: Db,
  query: LostQuery,
  {
    cursor,
    limit = LOST_PAGE_SIZE,
    now = Date.now(),
  }: { cursor?: string | undefined; limit?: number; now?: number } = {},
): Promise<LostPage> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, ORDER)
  const dogs = await readLostDogs(db, toLostFilter(query, now), limit + 1, after)
  const last = dogs.length > limit ? dogs[limit - 1] : undefined
  return {
    dogs: dogs.slice(0, limit),
    nextCursor: last ? encodeCursor({ order: ORDER, value: last.opened_at, id: last.id }) : null,
  }
}

/** The same for an address that may have been edited by hand. @returns null for an invalid cursor */
export const loadLostPage = (db: Db, query: LostQuery, cursor: string | undefined): Promise<LostPage | null> =>
  listLostDogs(db, query, { cursor }).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

/** What the filters offer: the provinces and breeds of open cases, A–Z, and what is chosen. */
export async function listLostOptions(db: Db, query: LostQuery): Promise<LostOptions> {
  const rows = await db
    .selectFrom('lost_cases')
    .crossJoin('dogs')
    .whereRef('dogs.id', '=', 'lost_cases.dog_id')
    .whereRef('dogs.owner_id', '=', 'lost_cases.owner_id')
    .select(['lost_cases.province', 'dogs.breed_slug'])
    .distinct()
    .execute()
  const provinces = new Set([query.province, ...rows.map(({ province }) => province)])
  const slugs = new Set([query.breed, ...rows.map(({ breed_slug }) => breed_slug)])
  return {
    provinces: listProvinces()
      .filter(({ id }) => provinces.has(id))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'es')),
    breeds: breedNames.filter(({ slug }) => slugs.has(slug)),
  }
}

/** The number of open cases, at most `COUNTED_MAX` + 1. */
export async function countLostDogs(db: Db, filter: LostFilter = {}): Promise<number> {
  const row = await db
    .selectFrom(
      lostDogRows(db, filter, COUNTED_MAX + 1)
        .clearSelect()
        .select(sql.lit(1).as('one'))
        .as('open'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
