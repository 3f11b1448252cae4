import type { Db } from '#db/client.ts'
import type { Member } from './profiles.ts'

/** A member as everyone may see them; undefined when there is none. Its counts are kept by triggers. */
export async function getMember(db: Db, id: string): Promise<Member | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select(['id', 'alias', 'emoji', 'verified', 'created_at', 'dogs_count', 'breeds_count', 'likes_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  // One row of dogs_owner_id is enough to know.
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

/** The breeds of a member's dogs with how many of each and the newest one's cover, from member_dogs_breed. */
export const memberBreeds = (db: Db, id: string): Promise<{ slug: string; dogs: number; photo_url: string | null }[]> =>
  db
    .selectFrom('member_breeds as b')
    .select((eb) => [
      'b.breed_slug as slug',
      'b.dogs',
      eb
        .selectFrom('member_dogs as m')
        .innerJoin('dogs as d', 'd.id', 'm.dog_id')
        .select('d.photo_url')
        .whereRef('m.user_id', '=', 'b.user_id')
        .whereRef('m.breed_slug', '=', 'b.breed_slug')
        .orderBy('m.created_at', 'desc')
        .limit(1)
        .as('photo_url'),
    ])
    .where('b.user_id', '=', id)
    .execute()
