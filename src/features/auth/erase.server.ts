import type { Trx } from '#db/client.ts'
import { forgetAllDevices } from './new-device/account-devices.server.ts'

/**
 * Deletes the account: its sessions, known devices, linked providers, passkeys, recovery codes, the tokens mailed to its address, and its
 * row. Last of all features, because the others' rows refer to it. Call it inside a transaction. Sessions are deleted here and not
 * through lucia, which writes outside the transaction.
 */
export async function revokeSignIns(trx: Trx, userId: string): Promise<void> {
  const user = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (user?.email) await trx.deleteFrom('sign_in_tokens').where('email', '=', user.email).execute()
  const asked = trx.selectFrom('email_changes').select('email').where('user_id', '=', userId)
  await trx.deleteFrom('sign_in_tokens').where('purpose', '=', 'address').where('email', 'in', asked).execute()
  await endSessionsOf(trx, userId)
  await forgetAllDevices(trx, userId)
  await trx.deleteFrom('sign_in_alerts').where('user_id', '=', userId).execute()
  await trx.deleteFrom('oauth_accounts').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
  await trx.updateTable('users').set({ email: null }).where('id', '=', userId).execute()
}

/** Ends all sessions of an account, with their devices' notifications. Call it inside a transaction, which lucia would write outside of. */
export async function endSessionsOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Deletes the account's row. Last of all features, because the others' rows refer to it. Call it inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await revokeSignIns(trx, userId)
  await trx.deleteFrom('security_log').where('user_id', '=', userId).execute()
  await trx.deleteFrom('users').where('id', '=', userId).execute()
}
