import type { Trx } from '#db/client.ts'

/**
 * Deletes the links and codes mailed to the member's addresses, and frees the account's own. Call it inside a transaction, before the
 * rows of the addresses are deleted.
 */
export async function revokeAddresses(trx: Trx, userId: string): Promise<void> {
  const user = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (user?.email) await trx.deleteFrom('sign_in_tokens').where('email', '=', user.email).execute()
  const asked = trx.selectFrom('email_changes').select('email').where('user_id', '=', userId)
  await trx.deleteFrom('sign_in_tokens').where('purpose', '=', 'address').where('email', 'in', asked).execute()
  await trx.updateTable('users').set({ email: null }).where('id', '=', userId).execute()
}

/** Ends all sessions of an account, with their devices' notifications. Call it inside a transaction, which lucia would write outside of. */
export async function endSessionsOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
