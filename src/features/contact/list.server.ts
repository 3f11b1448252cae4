import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { dogInSentence, FALLBACK_ALIAS } from '#lib/text/names.ts'
import { type ListedThread, NAMELESS_FINDER, THREADS_PAGE_SIZE } from './contact.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { type ContactReader, kindOf } from './threads.server.ts'

const ORDER = 'threads'

/** Whether it is not one that its finder alone has opened, `isWaiting`. */
const isBegun = sql<SqlBool>`(ended IS DISTINCT FROM 'origin' OR EXISTS (
  SELECT 1 FROM contact_messages AS written WHERE written.thread_id = t.id))`

/** Whether a member has conversations. */
export const hasThreads = async (db: Db, userId: string): Promise<boolean> =>
  (await db
    .selectFrom('contact_threads')
    .select('id')
    .where((eb) => eb.or([eb('member_id', '=', userId), eb('finder_id', '=', userId)]))
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * The conversations of a member and of the device in their hands, the latest written in first.
 * @throws AppError 422 for a malformed cursor
 */
export async function listThreads(
  db: Db,
  { userId, secrets }: ContactReader,
  { cursor, limit = THREADS_PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ threads: ListedThread[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor, ORDER)
  const hashes = [...secrets.values()].map(hashSecret)
  if (userId === null && hashes.length === 0) return { threads: [], nextCursor: null }
  let query = db
    .selectFrom('contact_threads as t')
    .leftJoin('lost_cases as c', 'c.id', 't.lost_case_id')
    .leftJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .leftJoin('profiles as m', 'm.id', 't.member_id')
    .leftJoin('profiles as f', 'f.id', 't.finder_id')
    .select(['t.id', 't.found_id', 't.member_id', 't.finder_id', 't.latest_at', 't.member_seen_at', 't.finder_seen_at'])
    .select(['d.name', 'm.alias as memberAlias', 'f.alias as finderAlias'])
    .select(sql<number | null>`(SELECT max(created_at) FROM contact_messages WHERE thread_id = t.id)`.as('wroteAt'))
    .where((eb) =>
      eb.or([
        ...(userId === null ? [] : [eb.and([eb('t.member_id', '=', userId), isBegun]), eb('t.finder_id', '=', userId)]),
        ...(hashes.length === 0 ? [] : [eb('t.secret_hash', 'in', hashes)]),
      ]),
    )
    .orderBy('t.latest_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit + 1)
  if (after) query = query.where((eb) => eb(eb.refTuple('t.latest_at', 't.id'), '<', eb.tuple(after.value, after.id)))
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    threads: page.map((row) => {
      const isMember = row.member_id === userId
      const finder = row.finder_id === null ? NAMELESS_FINDER : (row.finderAlias ?? FALLBACK_ALIAS)
      return {
        id: row.id,
        kind: kindOf(row),
        dog: row.name === null ? null : dogInSentence(row.name),
        other: isMember ? finder : (row.memberAlias ?? FALLBACK_ALIAS),
        isUnread: (row.wroteAt ?? 0) > (isMember ? row.member_seen_at : row.finder_seen_at),
        latestAt: row.latest_at,
      }
    }),
    nextCursor: rows.length > limit && last ? encodeCursor({ order: ORDER, value: last.latest_at, id: last.id }) : null,
  }
}
