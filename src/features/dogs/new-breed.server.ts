import type { Trx } from '#db/client.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { notify } from '#features/notifications/notify.server.ts'

interface BreedArrival {
  dogId: string
  breedSlug: string
  /** Members whose dog it may become; nulls are ignored. */
  userIds: readonly (string | null)[]
}

/**
 * Runs `action`, which may add the dog to members' albums, and notifies those who have no other dog of its breed. Compares
 * member_breeds before and after. Call it inside the action's transaction.
 */
export async function withNewBreedNotifications<T>(
  trx: Trx,
  { dogId, breedSlug, userIds }: BreedArrival,
  action: () => Promise<T>,
  now = Date.now(),
): Promise<T> {
  const ids = [...new Set(userIds.filter((id) => id !== null))]
  const before = await findBreedHolders(trx, ids, breedSlug)
  const result = await action()
  const after = await findBreedHolders(trx, ids, breedSlug)
  for (const userId of after) if (!before.has(userId)) await notifyNewBreed(trx, userId, dogId, breedSlug, now)
  return result
}

/** The members among `userIds` with a dog of the breed, by primary key. */
async function findBreedHolders(trx: Trx, userIds: readonly string[], breedSlug: string): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await trx
    .selectFrom('member_breeds')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('breed_slug', '=', breedSlug)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

async function notifyNewBreed(trx: Trx, userId: string, dogId: string, breedSlug: string, now: number): Promise<void> {
  const breed = (await getCatalogue(trx)).bySlug.get(breedSlug)
  const profile = await trx.selectFrom('profiles').select('breeds_count').where('id', '=', userId).executeTakeFirst()
  // Only breeds of the catalogue are collected (docs/product.md §1.3).
  if (!breed || !profile) return
  const counts = { breeds: profile.breeds_count, total: totalBreeds }
  await notify(trx, 'new-breed', { userId, dogId, breed: breed.nombre_castellano, ...counts }, now)
}
