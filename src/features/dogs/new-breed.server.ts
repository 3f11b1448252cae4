import type { Db } from '#db/client.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { deleteNotificationsTitled, notify } from '#features/notifications/notifications.server.ts'

interface BreedArrival {
  dogId: string
  breedSlug: string
  /** Whose dog it may become; nobody where null. */
  userIds: readonly (string | null)[]
}

/**
 * Does `deed`, which may bring the dog into members' albums, and rings the bell of those for whom it is the first of its
 * breed. Read before and after from the kept counts. Call it in the deed's own transaction.
 */
export async function withNewBreedNotifications<T>(
  trx: Db,
  { dogId, breedSlug, userIds }: BreedArrival,
  deed: () => Promise<T>,
  now = Date.now(),
): Promise<T> {
  const ids = [...new Set(userIds.filter((id) => id !== null))]
  const before = await findBreedHolders(trx, ids, breedSlug)
  const result = await deed()
  const after = await findBreedHolders(trx, ids, breedSlug)
  for (const userId of after) if (!before.has(userId)) await notifyNewBreed(trx, userId, dogId, breedSlug, now)
  return result
}

/** Which of them have a dog of the breed, by primary key. */
async function findBreedHolders(trx: Db, userIds: readonly string[], breedSlug: string): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await trx
    .selectFrom('member_breeds')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('breed_slug', '=', breedSlug)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

const NEW_BREED_TITLE = '¡Nueva raza en tu álbum!'

async function notifyNewBreed(trx: Db, userId: string, dogId: string, breedSlug: string, now: number): Promise<void> {
  const breed = (await getCatalogue(trx)).bySlug.get(breedSlug)
  const profile = await trx.selectFrom('profiles').select('breeds_count').where('id', '=', userId).executeTakeFirst()
  // Only breeds of the catalogue are collected (docs/product.md §1.3).
  if (!breed || !profile) return
  // A dog has one breed: what it unlocked before it was given another leaves the bell, or a thousand edits would fill it.
  await deleteNotificationsTitled(trx, { userId, dogId, title: NEW_BREED_TITLE })
  const content = `Has desbloqueado ${breed.nombre_castellano}: ya tienes ${profile.breeds_count} de ${totalBreeds}.`
  await notify(trx, { userId, type: 'other', title: NEW_BREED_TITLE, content, dogId }, now)
}
