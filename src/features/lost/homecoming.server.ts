import type { Trx } from '#db/client.ts'
import { isVisibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'

/** The most members who are notified of one homecoming: it bounds the transaction that queues them. */
const MAX_HELPERS = 200

/**
 * Ids of the members who sent sightings of a dog that its owner got, by index sightings_case. Visitors have no account to notify, and the
 * owner's own sightings do not count.
 */
async function findHelpers(trx: Trx, dogId: string, ownerId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('sightings')
    .innerJoin('lost_cases', 'lost_cases.id', 'sightings.case_id')
    .select('member_id')
    .distinct()
    .where('lost_cases.dog_id', '=', dogId)
    .where('state', '=', 'delivered')
    .where('member_id', 'is not', null)
    .where('member_id', '!=', ownerId)
    .limit(MAX_HELPERS)
    .execute()
  return rows.map(({ member_id }) => member_id!)
}

/**
 * Queues the members who are notified that the dog is at home, and whether its owner thanks them. Call it in the transaction that ends the
 * case, before its row is deleted, and its sightings with it.
 */
export async function queueHomecoming(
  trx: Trx,
  { dogId, ownerId, thanks }: { dogId: string; ownerId: string; thanks: boolean },
  now: number,
): Promise<void> {
  const helperIds = await findHelpers(trx, dogId, ownerId)
  if (helperIds.length === 0) return
  const jobs = helperIds.map((userId) => ({ key: `${dogId} ${userId}`, userId, payload: { thanks } }))
  await enqueue(trx, HOMECOMINGS, jobs, now)
}

const HOMECOMINGS = 'homecomings'

/** Bells of the members who helped to find a dog that is at home. */
export const homecomings: Topic = {
  name: HOMECOMINGS,
  failure: 'a quien ayudó no se le pudo avisar de que un perro está en casa',
  async step(trx, { key, payload }, now) {
    const [dogId, userId] = key.split(' ') as [string, string]
    const { thanks } = payload as { thanks: boolean }
    const dog = await trx.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
    if (dog?.owner_id && (await isVisibleTo(trx, userId, [dog.owner_id], 'news')))
      await notify(trx, 'home', { userId, dogId, actorId: dog.owner_id, isThanked: thanks }, now)
    return 'done'
  },
}
