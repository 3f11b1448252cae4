import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { prepareQuery } from '#db/prepared.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { LIKED_MAX } from '#features/likes/likes.ts'
import { selectLastEventId } from '#features/live/live.server.ts'
import type { memberCountsAnswer } from './answers.ts'

type MemberCounts = z.output<typeof memberCountsAnswer>

const selectFrameMember = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.id', 'users.id')
    .select(['alias', 'emoji', 'email', 'dogs_count', 'breeds_count'])
    .select((eb) => [
      eb
        .selectFrom('notifications')
        .select((q) => q.fn.countAll<number>().as('unread'))
        .where('user_id', '=', userId)
        // Only a literal uses the partial index notifications_unread.
        .where('is_read', '=', sql.lit(0))
        .as('unread'),
      selectLastEventId(db).as('live'),
      // Not on PostgreSQL: the browser loads them.
      (isSharedByNodes(db)
        ? sql<string | null>`NULL`
        : sql<
            string | null
          >`(SELECT json_group_array(dog_id) FROM (SELECT dog_id FROM dog_likes WHERE user_id = ${userId} LIMIT ${sql.lit(LIKED_MAX)}))`
      ).as('liked'),
    ])
    .where('users.id', '=', userId),
)

export type FrameMember = NonNullable<Awaited<ReturnType<typeof loadFrameMember>>>

/**
 * What the frame shows of a member, in one statement by primary keys and two indexes; null for nobody. `alias` and `emoji` are null for
 * one whose profile is hidden: theirs are in `CurrentUser`. `live` is the newest
 * event, `liked` all dogs that they like: null for LIKED_MAX and more, and on PostgreSQL.
 */
export async function loadFrameMember(db: Db, userId: string) {
  const [row] = await selectFrameMember(db, { userId })
  if (!row) return null
  const { alias, emoji, email, unread, live, dogs_count, breeds_count } = row
  const ids: string[] | null = JSON.parse(row.liked ?? 'null')
  const liked: ReadonlySet<string> | null = ids && ids.length < LIKED_MAX ? new Set(ids) : null
  const counts: MemberCounts = { dogs: dogs_count ?? 0, breeds: breeds_count ?? 0, total: totalBreeds }
  return { id: userId, alias, emoji, email, counts, unread: unread!, live: live ?? 0, liked }
}
