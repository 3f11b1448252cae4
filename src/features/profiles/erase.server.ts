import type { Trx } from '#db/client.ts'
import { discardCases } from '#features/moderation/content.server.ts'

/** Deletes the member's profile, hidden or not, and the link to their album. Call it after the rows that its counts come from are deleted, inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('album_links').where('user_id', '=', userId).execute()
  await trx.deleteFrom('profiles_all').where('id', '=', userId).execute()
  await discardCases(trx, 'profile', [userId])
}
