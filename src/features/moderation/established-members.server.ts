import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'

const MIN_ACCOUNT_AGE_MS = 14 * DAY_MS
const MIN_PARTICIPATION_AGE_MS = 7 * DAY_MS

/**
 * Whether the member's account is two weeks old, and they added a dog or a comment a week ago or earlier: their reports count towards
 * automatic hiding, and members far away are alerted of their lost dogs.
 */
export async function isEstablished(db: Db, userId: string, now: number): Promise<boolean> {
  const user = await db.selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirstOrThrow()
  if (now - user.created_at < MIN_ACCOUNT_AGE_MS) return false
  const since = now - MIN_PARTICIPATION_AGE_MS
  const dog = db
    .selectFrom('member_dogs')
    .select('dog_id')
    .where('user_id', '=', userId)
    .where('created_at', '<=', since)
  if (await dog.limit(1).executeTakeFirst()) return true
  const comment = db.selectFrom('comments').select('id').where('user_id', '=', userId).where('created_at', '<=', since)
  return (await comment.limit(1).executeTakeFirst()) !== undefined
}
