import type { Db } from '#db/client.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { paths } from '#lib/paths.ts'
import { nameSlug } from '#lib/text/slug.ts'
import { ADMIN_PAGE_SIZE, type AdminDog, type AdminPage } from './admin.ts'

const ORDER_NEWEST = 'admin-dogs'
const ORDER_BY_NAME = 'admin-dogs-named'

/** Sorts after every character of a slug (letters, digits and hyphens). */
const PREFIX_END = '~'

const selectDogRows = (db: Db, limit: number) =>
  db
    .selectFrom('dogs as d')
    .leftJoin('profiles as p', 'p.id', 'd.user_id')
    .select(['d.id', 'd.name', 'd.breed', 'd.path_breed', 'd.path_slug', 'd.photo_url', 'd.created_at'])
    .select(['d.votes', 'd.comments_count', 'p.id as member_id', 'p.alias'])
    .limit(limit)

/**
 * A page of dogs: the newest first, or with a search those whose slug begins with it (accents and case do not matter). Read in
 * the order of index dogs_created or dogs_path_slug.
 * @throws AppError 401, 403; 422 for an invalid cursor
 */
export async function listDogs(
  db: Db,
  requester: AdminRequester,
  { q = '', cursor, limit = ADMIN_PAGE_SIZE }: { q?: string; cursor?: string | undefined; limit?: number } = {},
): Promise<AdminPage<AdminDog>> {
  assertAdmin(requester)
  const prefix = q.trim() && nameSlug(q)
  const order = prefix ? ORDER_BY_NAME : ORDER_NEWEST
  const at = cursor === undefined ? undefined : decodeCursor(cursor, order)
  let query = selectDogRows(db, limit + 1)
  if (prefix) {
    query = query.where('d.path_slug', '>=', prefix).where('d.path_slug', '<', prefix + PREFIX_END)
    // The cursor's id part is «slug id»: slugs hold no space.
    const [slug = '', id = ''] = at?.id.split(' ') ?? []
    if (at) query = query.where((eb) => eb(eb.refTuple('d.path_slug', 'd.id'), '>', eb.tuple(slug, id)))
    query = query.orderBy('d.path_slug').orderBy('d.id')
  } else {
    if (at) query = query.where((eb) => eb(eb.refTuple('d.created_at', 'd.id'), '<', eb.tuple(at.value, at.id)))
    query = query.orderBy('d.created_at', 'desc').orderBy('d.id', 'desc')
  }
  const rows = await query.execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next = last && {
    order,
    value: last.created_at,
    id: prefix ? `${last.path_slug} ${last.id}` : last.id,
  }
  return {
    rows: rows.slice(0, limit).map((row) => ({
      id: row.id,
      name: row.name,
      breed: row.breed,
      path: paths.dog(row),
      photo_url: row.photo_url,
      created_at: row.created_at,
      likes: row.votes,
      comments: row.comments_count,
      addedBy: row.member_id && row.alias ? { id: row.member_id, alias: row.alias } : null,
    })),
    nextCursor: next ? encodeCursor(next) : null,
  }
}
