import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { DogLikesTable } from '#db/schema.ts'

/** Gives a dog that comes back the likes it had, of those who are still members. Nobody is told anew. */
export async function restoreLikes(trx: Db, likes: readonly Selectable<DogLikesTable>[]): Promise<void> {
  for (const like of likes) {
    const giver = await trx.selectFrom('users').select('id').where('id', '=', like.user_id).executeTakeFirst()
    if (giver) await trx.insertInto('dog_likes').values(like).execute()
  }
}
