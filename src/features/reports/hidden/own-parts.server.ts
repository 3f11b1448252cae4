import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'

const selectOwnParts = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('comments_all')
    .select(sql<number>`1`.as('found'))
    .where('user_id', '=', userId)
    .where('hidden', '>', 0)
    .unionAll(
      db
        .selectFrom('ownership_requests')
        .select(sql<number>`1`.as('found'))
        .where('user_id', '=', userId),
    )
    .limit(1),
)

/**
 * Whether dogs' pages may show the member what nobody else sees there: a hidden comment of theirs, or their request for
 * ownership. By indexes on the member.
 */
export const hasOwnPartsOnDogs = async (db: Db, userId: string): Promise<boolean> =>
  (await selectOwnParts(db, { userId })).length > 0
