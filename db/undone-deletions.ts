import type { Trx } from './client.ts'

/** Undoes a deletion that waits: `runDueDeletions` brings the account back. Also `auth` does, which may not import the feature that writes them. */
export async function undoDeletion(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('account_deletions').set({ state: 'restoring' }).where('user_id', '=', userId).execute()
}
