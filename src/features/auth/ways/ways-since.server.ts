import type { Db } from '#db/client.ts'

/**
 * Takes back the ways in that an account was given at or after `since`: a stranger had its session then, and would come in
 * again by them. Call it inside a transaction, with the member locked.
 */
export async function takeBackWaysSince(trx: Db, userId: string, since: number): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await trx.deleteFrom('oauth_accounts').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await takeBackAddedAddress(trx, userId, since)
}

/**
 * An address in place of another is not taken back: the holder of the other has a link for that. One in place of none has no such holder;
 * it stays where it is the only way in that is left, which may be the member's own.
 */
async function takeBackAddedAddress(trx: Db, userId: string, since: number): Promise<void> {
  const first = await trx
    .selectFrom('email_changes')
    .select('previous_email')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .where('confirmed_at', 'is not', null)
    .orderBy('confirmed_at')
    .limit(1)
    .executeTakeFirst()
  if (first?.previous_email !== null || !(await hasOtherWay(trx, userId))) return
  await trx.updateTable('users').set({ email: null }).where('id', '=', userId).execute()
  await trx.deleteFrom('email_changes').where('user_id', '=', userId).where('created_at', '>=', since).execute()
}

async function hasOtherWay(trx: Db, userId: string): Promise<boolean> {
  const ways = await trx
    .selectFrom('passkeys')
    .select('user_id')
    .where('user_id', '=', userId)
    .unionAll(trx.selectFrom('oauth_accounts').select('user_id').where('user_id', '=', userId))
    .execute()
  return ways.length > 0
}
