import { type Expression, sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { wholeNumber } from '#db/dialect/expressions.ts'
import { readListMark } from '#db/list-mark.ts'
import { prepareQuery } from '#db/prepared.ts'
import { normaliseBreed } from '#features/breeds/breeds.ts'
import { breedBySlug, resolveBreed } from '#features/breeds/catalogue.server.ts'
import { breedKey } from '#features/breeds/match.ts'
import { type Cursor, decodeCursor, encodeCursor, listMark } from '#lib/cursor.ts'
import { type DogRow, toDogs } from '#features/dogs/dog.server.ts'
import { DEFAULT_PAGE_SIZE } from './dog-query.ts'
import {
  type Dog,
  type DogList,
  type DogPage,
  type DogQuery,
  type Size,
  type Sort,
  SORTS,
} from '#features/dogs/dogs.ts'
import { dogStats } from './stats.server.ts'

/** The filters of a list, with the breed as a slug. */
export interface DogFilter {
  breed_slug?: string
  size?: Size
}

/**
 * The slug of a filter's breed, from a slug, a name or another spelling. An unknown text becomes its own normalised form,
 * which no dog has: unlike a dog's breed, a filter must not fall back to Mestizo.
 */
export function resolveFilterBreed(text: string): string {
  const slug = normaliseBreed(text)
  if (breedBySlug(slug)) return slug
  const found = resolveBreed(text)
  return breedBySlug(normaliseBreed(found.name)) ? found.slug : slug || breedKey(text) || '-'
}

export function toDogFilter(query: Pick<DogQuery, 'breed' | 'size'>): DogFilter {
  return {
    ...(query.breed && { breed_slug: resolveFilterBreed(query.breed) }),
    ...(query.size && { size: query.size }),
  }
}

const SORT_COLUMNS = {
  recent: ['created_at', 'desc'],
  'votes-desc': ['votes', 'desc'],
  'votes-asc': ['votes', 'asc'],
  'weight-desc': ['weight', 'desc'],
  'weight-asc': ['weight', 'asc'],
  'age-desc': ['age_months', 'desc'],
  'age-asc': ['age_months', 'asc'],
} as const satisfies Record<Sort, readonly [keyof DogRow, 'asc' | 'desc']>

/** A row's sort value, as stored in a cursor. */
const sortValue = (row: DogRow, column: keyof DogRow): number =>
  column === 'weight' ? Math.trunc(Number(row.weight)) : Number(row[column])

/**
 * One page of the list's rows. Keyset pagination over the index of the filters and sort order (dogs_[breed_][size_]…): the
 * thousandth page costs as much as the first. Orders by weight and age have only dogs with the figure (docs/product.md §4.1).
 */
export const dogPageQuery = (db: Db, filter: DogFilter, sort: Sort, limit: number, cursor?: Cursor) =>
  dogKeyQuery(db, filter, sort, limit, cursor).selectAll()

/** The same without columns. @param isBefore the rows up to the cursor, instead of those after it */
function dogKeyQuery(db: Db, filter: DogFilter, sort: Sort, limit: number, cursor?: Cursor, isBefore = false) {
  const [column, direction] = SORT_COLUMNS[sort]
  let rows = db.selectFrom('dogs')
  if (filter.breed_slug) rows = rows.where('breed_slug', '=', filter.breed_slug)
  if (filter.size) rows = rows.where('size', '=', filter.size)
  // Weights sort as whole kilograms (docs/product.md §4.1), by the indexes dogs_[…_]kilograms.
  const sortExpression: Expression<number | null> = column === 'weight' ? wholeNumber(db, column) : sql.ref(column)
  const comparison = isBefore ? (direction === 'desc' ? '>=' : '<=') : direction === 'desc' ? '<' : '>'
  // The comparison with the cursor excludes nulls; a second condition makes SQLite choose a worse index.
  if (!cursor && (column === 'weight' || column === 'age_months')) rows = rows.where(sortExpression, 'is not', null)
  if (cursor)
    rows = rows.where(({ eb, tuple }) => eb(sql`(${sortExpression}, "id")`, comparison, tuple(cursor.value, cursor.id)))
  return rows.orderBy(sortExpression, direction).orderBy('id', direction).limit(limit)
}

interface DogPageParams extends DogFilter {
  limit: number
  cursorValue: number | undefined
  cursorId: string | undefined
}

const preparePage = (sort: Sort) =>
  prepareQuery((db, { limit, cursorValue: value, cursorId: id, ...filter }: DogPageParams) =>
    dogPageQuery(
      db,
      filter,
      sort,
      limit,
      value === undefined || id === undefined ? undefined : { order: sort, value, id },
    ),
  )
const preparedPages = Object.fromEntries(SORTS.map((sort) => [sort, preparePage(sort)])) as Record<
  Sort,
  ReturnType<typeof preparePage>
>

/** Runs `dogPageQuery` as a prepared statement. */
export const readDogPage = (db: Db, filter: DogFilter, sort: Sort, limit: number, cursor?: Cursor): Promise<DogRow[]> =>
  preparedPages[sort](db, { ...filter, limit, cursorValue: cursor?.value, cursorId: cursor?.id })

/**
 * A page of the list with the statistics of its filters. In an order by a figure that changes it says where other dogs are before it than its
 * cursor has shown: they may be on no page, or on two. @throws AppError 422 for a cursor of another sort order
 */
export async function listDogs(db: Db, query: DogQuery, now = Date.now()): Promise<DogPage> {
  const sort = query.sort ?? 'recent'
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const filter = toDogFilter(query)
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor, sort)
  const rows = await readDogPage(db, filter, sort, limit + 1, cursor)
  const [column] = SORT_COLUMNS[sort]
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const isMarked = sort !== 'recent' && (!cursor || cursor.mark !== undefined)
  const readBefore = (rows: number) => dogKeyQuery(db, filter, sort, rows, cursor, true).select('id')
  const before = isMarked ? (cursor ? await readListMark(db, readBefore) : 0) : undefined
  const mark = before === undefined ? undefined : before + listMark(shown.map(({ id }) => id))
  return {
    dogs: await toDogs(db, shown),
    nextCursor: last ? encodeCursor({ order: sort, value: sortValue(last, column), id: last.id, mark }) : null,
    stats: await dogStats(db, filter, now),
    ...(cursor && before !== undefined && before !== cursor.mark && { reordered: true as const }),
  }
}

/** The newest dogs with a photo, for the card of the signed-out profile (docs/product.md §9.1: up to 8). */
export async function newestDogs(db: Db, limit = 8): Promise<Dog[]> {
  const rows = await db
    .selectFrom('dogs')
    .selectAll()
    .where('photo_url', '!=', '')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return toDogs(db, rows)
}

interface DogListOptions {
  cursor?: string | undefined
  limit?: number | undefined
}

/** The dogs a member owns or discovered, newest first, from member_dogs_list; with a breed from member_dogs_breed. */
export function memberDogsQuery(db: Db, userId: string, breedSlug: string | undefined, limit: number, cursor?: Cursor) {
  let rows = db
    .selectFrom('member_dogs as m')
    .innerJoin('dogs as d', 'd.id', 'm.dog_id')
    .selectAll('d')
    .select('m.created_at as at')
    .where('m.user_id', '=', userId)
  if (breedSlug) rows = rows.where('m.breed_slug', '=', breedSlug)
  if (cursor)
    rows = rows.where((eb) => eb(eb.refTuple('m.created_at', 'm.dog_id'), '<', eb.tuple(cursor.value, cursor.id)))
  return rows.orderBy('m.created_at', 'desc').orderBy('m.dog_id', 'desc').limit(limit)
}

/** A member's dogs: those they own or discovered. @throws AppError 422 for a bad cursor */
export async function dogsOfMember(
  db: Db,
  userId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE, breed }: DogListOptions & { breed?: string } = {},
): Promise<DogList> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'member')
  const rows = await memberDogsQuery(db, userId, breed && resolveFilterBreed(breed), limit + 1, after).execute()
  return toDogList(db, rows, limit, (row) => ({ order: 'member', value: row.at, id: row.id }))
}

/** The dogs a member likes, latest like first, from dog_likes_user. */
export function likedDogsQuery(db: Db, userId: string, limit: number, cursor?: Cursor) {
  let rows = db
    .selectFrom('dog_likes as l')
    .innerJoin('dogs as d', 'd.id', 'l.dog_id')
    .selectAll('d')
    .select(['l.created_at as at', 'l.id as like_id'])
    .where('l.user_id', '=', userId)
  if (cursor) rows = rows.where((eb) => eb(eb.refTuple('l.created_at', 'l.id'), '<', eb.tuple(cursor.value, cursor.id)))
  return rows.orderBy('l.created_at', 'desc').orderBy('l.id', 'desc').limit(limit)
}

/** The dogs a member likes. @throws AppError 422 for a bad cursor */
export async function dogsLikedBy(
  db: Db,
  userId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE }: DogListOptions = {},
): Promise<DogList> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'liked')
  const rows = await likedDogsQuery(db, userId, limit + 1, after).execute()
  return toDogList(db, rows, limit, (row) => ({ order: 'liked', value: row.at, id: row.like_id }))
}

async function toDogList<R extends DogRow>(
  db: Db,
  rows: R[],
  limit: number,
  cursorOf: (row: R) => Cursor,
): Promise<DogList> {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { dogs: await toDogs(db, rows.slice(0, limit)), nextCursor: last ? encodeCursor(cursorOf(last)) : null }
}
