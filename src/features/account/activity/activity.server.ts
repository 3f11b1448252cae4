import type { Db } from '#db/client.ts'
import { displayName, UNKNOWN_PERSON } from '#features/dogs/dogs.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { paths } from '#lib/paths.ts'
import { type Activity, MAX_LIKES_LISTED, ACTIVITY_WINDOW_MS, NEWEST_DOGS } from './activity.ts'

/** A member's activity: likes of the last day on their dogs, without their own and blocked members', and the newest dogs. */
export async function loadActivity(db: Db, userId: string, now = Date.now()): Promise<Activity> {
  // Reads the member's dogs by index member_dogs_list and each one's recent likes by dog_likes_dog.
  const likes = await db
    .selectFrom('member_dogs as m')
    .innerJoin('dog_likes as l', 'l.dog_id', 'm.dog_id')
    .innerJoin('dogs as d', 'd.id', 'm.dog_id')
    .leftJoin('profiles as p', 'p.id', 'l.user_id')
    .select(['l.id', 'l.dog_id', 'l.user_id', 'l.created_at', 'p.alias', 'd.name', 'd.path_breed', 'd.path_slug'])
    .where('m.user_id', '=', userId)
    .where('l.created_at', '>=', now - ACTIVITY_WINDOW_MS)
    .where('l.user_id', '!=', userId)
    .where(visibleTo(userId, 'likes').of('l.user_id'))
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(MAX_LIKES_LISTED)
    .execute()
  const dogs = await db
    .selectFrom('dogs as d')
    .leftJoin('profiles as p', (join) =>
      join.on((eb) => eb('p.id', '=', eb.fn.coalesce('d.discoverer_id', 'd.owner_id'))),
    )
    .select([
      'd.id',
      'd.name',
      'd.breed',
      'd.owner_id',
      'd.discoverer_id',
      'd.created_at',
      'd.path_breed',
      'd.path_slug',
    ])
    .select('p.alias')
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(NEWEST_DOGS)
    .execute()
  return {
    likes: likes.map(({ name, path_breed, path_slug, alias, ...like }) => ({
      ...like,
      alias: alias ?? UNKNOWN_PERSON,
      dog: displayName(name),
      path: paths.dog({ path_breed, path_slug }),
    })),
    dogs: dogs.map(({ path_breed, path_slug, alias, ...dog }) => ({
      ...dog,
      name: displayName(dog.name),
      alias: alias ?? UNKNOWN_PERSON,
      path: paths.dog({ path_breed, path_slug }),
    })),
  }
}
