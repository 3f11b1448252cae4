import type { Db } from '#db/client.ts'
import type { Member } from './profiles.ts'

/** A member's public data; undefined for an unknown id. Triggers maintain the counts. */
export async function getMember(db: Db, id: string): Promise<Member | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select(['id', 'alias', 'emoji', 'verified', 'created_at', 'dogs_count', 'breeds_count', 'likes_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  // One row of index dogs_owner_id is enough.
  const owned = await db.selectFrom('dogs').select('id').where('owner_id', '=', id).limit(1).executeTakeFirst()
  return {
    id: row.id,
    alias: row.alias,
    emoji: row.emoji,
    verified: row.verified === 1,
    created_at: row.created_at,
    isOwner: owned !== undefined,
    dogs: row.dogs_count,
    breeds: row.breeds_count,
    likes: row.likes_count,
  }
}
