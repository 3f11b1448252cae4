import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'

const MIN_ACCOUNT_AGE_MS = 14 * DAY_MS
const MIN_PARTICIPATION_AGE_MS = 7 * DAY_MS

/**
 * Whether a member's account is two weeks old, and they added a dog or a comment a week ago or earlier, as a column of another query; false
 * for null.
 * @param member `table.column` with their id
 */
export const isEstablishedMember = (member: string, now: number) => {
  const since = now - MIN_PARTICIPATION_AGE_MS
  return sql<boolean>`EXISTS (SELECT 1 FROM users AS eu WHERE eu.id = ${sql.ref(member)}
    AND eu.created_at <= ${now - MIN_ACCOUNT_AGE_MS}
    AND (EXISTS (SELECT 1 FROM member_dogs AS ed WHERE ed.user_id = eu.id AND ed.created_at <= ${since})
      OR EXISTS (SELECT 1 FROM comments AS ec WHERE ec.user_id = eu.id AND ec.created_at <= ${since})))`
}

/**
 * The same of one member: their reports count towards automatic hiding, members far away are alerted of their lost dogs, and found dogs are
 * compared with these first.
 */
export async function isEstablished(db: Db, userId: string, now: number): Promise<boolean> {
  const user = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '=', userId)
    .where(isEstablishedMember('u.id', now))
    .executeTakeFirst()
  return user !== undefined
}
