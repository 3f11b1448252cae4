import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { joinDogsOfEach } from '#db/dialect/expressions.ts'
import { prepareQuery } from '#db/prepared.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { Cursor } from '#lib/cursor.ts'
import type { FollowKind } from './follows.ts'

/** A dog of the feed, in its order: newest first. */
export interface FeedRow {
  id: string
  created_at: number
}

interface FeedParams {
  userId: string
  limit: number
  cursorValue: number | undefined
  cursorId: string | undefined
}

/**
 * The dogs of what the member follows, newest first: at most `limit`, after `cursor`. Those with a block between their people and the
 * member are left out; the member's own are in it like others of a followed breed.
 */
export async function readFeed(db: Db, userId: string, limit: number, cursor?: Cursor): Promise<FeedRow[]> {
  return selectFeed(db, {
    userId,
    limit,
    cursorValue: cursor?.value,
    cursorId: cursor?.id,
  })
}

/** The dogs of a source `f` or `s`, by an index that has them in the order of the feed. */
const SOURCES: Record<FollowKind, { table: RawBuilder<unknown>; id: RawBuilder<unknown>; key: RawBuilder<unknown> }> = {
  member: { table: sql`member_dogs`, id: sql`x.dog_id`, key: sql`x.user_id` },
  breed: { table: sql`dogs`, id: sql`x.id`, key: sql`x.breed_slug` },
  zone: { table: sql`dogs`, id: sql`x.id`, key: sql`x.province` },
}
const KINDS = Object.keys(SOURCES) as FollowKind[]

/**
 * A merge of all sources that reads no more than it needs, however many dogs they have:
 * 1. Of each source the time of its newest dog: one look-up each.
 * 2. The sources of the `limit` newest such times. Any other's dogs are older than `limit` dogs of these, so that they are not on the page.
 *    Times are counted, not sources, since one dog may be the newest of several.
 * 3. Of those sources the newest `limit` dogs each, once each, none older than the last of these times: `limit` dogs are as new.
 */
function feedSql(db: Db, { userId, limit, cursorValue, cursorId }: FeedParams): RawBuilder<FeedRow> {
  const shown = visibleTo(userId, 'feed')
  const conditions = (kind: FollowKind) => {
    const { id } = SOURCES[kind]
    const after = cursorId === undefined ? sql`` : sql` AND (x.created_at, ${id}) < (${cursorValue}, ${cursorId})`
    return kind === 'member'
      ? sql`${after} AND EXISTS (SELECT 1 FROM dogs AS o WHERE o.id = x.dog_id AND ${shown.of('o.owner_id', 'o.discoverer_id')})`
      : sql`${after} AND ${shown.of('x.owner_id', 'x.discoverer_id')}`
  }
  const newestOf = (kind: FollowKind, what: RawBuilder<unknown>, where: RawBuilder<unknown>, count: unknown) => {
    const { table, id, key } = SOURCES[kind]
    return sql`SELECT ${what} FROM ${table} AS x WHERE ${key} = ${where}${conditions(kind)}
      ORDER BY x.created_at DESC, ${id} DESC LIMIT ${count}`
  }
  const times = KINDS.map(
    (
      kind,
    ) => sql`SELECT f.kind, f.target_id, (${newestOf(kind, sql`x.created_at`, sql`f.target_id`, sql.lit(1))}) AS newest
      FROM follows AS f WHERE f.user_id = ${userId} AND f.kind = ${sql.lit(kind)}`,
  )
  const dogs = KINDS.map((kind) => {
    const ids = newestOf(kind, sql`${SOURCES[kind].id} AS id`, sql`s.target_id AND x.created_at >= s.bound`, limit)
    return sql`SELECT d.id, d.created_at FROM sources AS s ${joinDogsOfEach(db, ids)} WHERE s.kind = ${sql.lit(kind)}`
  })
  // Materialized: SQLite would otherwise look up each source's time wherever it is used.
  return sql<FeedRow>`WITH of_each AS MATERIALIZED (${sql.join(times, sql` UNION ALL `)}),
    ranked AS MATERIALIZED (
      SELECT kind, target_id, newest, dense_rank() OVER (ORDER BY newest DESC) AS place
      FROM of_each WHERE newest IS NOT NULL
    ), sources AS MATERIALIZED (
      SELECT kind, target_id, coalesce((SELECT min(newest) FROM ranked WHERE place = ${limit}), 0) AS bound
      FROM ranked WHERE place <= ${limit}
    )
    SELECT id, created_at FROM (${sql.join(dogs, sql` UNION `)}) AS page
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`
}

const selectFeed = prepareQuery<FeedParams & object, FeedRow>((db, params) => ({
  compile: () => feedSql(db, params).compile(db),
}))

/** How many dogs of others, added after `since` (ms), what the member follows has: at most `max`. */
export async function countNewDogs(db: Db, userId: string, since: number, max: number): Promise<number> {
  const rows = await readFeed(db, userId, max)
  const ids = rows.filter(({ created_at }) => created_at > since).map(({ id }) => id)
  if (ids.length === 0) return 0
  const own = await db
    .selectFrom('member_dogs')
    .select('dog_id')
    .where('user_id', '=', userId)
    .where('dog_id', 'in', ids)
    .execute()
  return ids.length - own.length
}
