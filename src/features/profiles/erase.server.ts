import type { Trx } from '#db/client.ts'

/** Deletes the member's profile and the link to their album. Call it after the rows that its counts come from are deleted, inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('album_links').where('user_id', '=', userId).execute()
  await trx.deleteFrom('profiles').where('id', '=', userId).execute()
}
