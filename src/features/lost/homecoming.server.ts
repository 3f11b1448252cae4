import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { isVisibleTo, visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'

/** The most members who are notified of one homecoming: it bounds the transaction that queues them. */
const MAX_HELPERS = 200
/** Members who are notified in one transaction. */
const MEMBERS_PER_BATCH = 25

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
    .where(visibleTo(null, 'presence').of('sightings.member_id'))
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
  const row = { dog_id: dogId, owner_id: ownerId, is_thanked: thanks ? (1 as const) : (0 as const), queued_at: now }
  await trx
    .insertInto('lost_homecomings')
    .values(helperIds.map((user_id) => ({ ...row, user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Notifies queued members that a dog is at home. A member leaves the queue in the transaction that notifies them: after an interruption the
 * next call, or another node, goes on there, and notifies nobody twice.
 * @param maxBatches default: until the queue is empty
 */
export async function sendHomecomings(
  db: Db,
  signal?: AbortSignal,
  now = Date.now(),
  maxBatches = Infinity,
): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    if (signal?.aborted) return
    // Most rounds find nothing, and write nothing.
    if (!(await db.selectFrom('lost_homecomings').select('dog_id').limit(1).executeTakeFirst())) return
    const queued = await transact(db, (trx) => sendBatch(trx, now))
    if (queued < MEMBERS_PER_BATCH) return
    await nextTurn()
  }
}

/** @returns how many were queued, MEMBERS_PER_BATCH at most */
async function sendBatch(trx: Trx, now: number): Promise<number> {
  const queued = await trx
    .selectFrom('lost_homecomings')
    .selectAll()
    .orderBy('queued_at')
    .limit(MEMBERS_PER_BATCH)
    .execute()
  if (queued.length === 0) return 0
  for (const { dog_id, user_id, owner_id, is_thanked } of queued) {
    const { numDeletedRows } = await trx
      .deleteFrom('lost_homecomings')
      .where('dog_id', '=', dog_id)
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    // Another process has notified them.
    if (numDeletedRows === 0n) continue
    const dog = await trx.selectFrom('dogs').select('id').where('id', '=', dog_id).executeTakeFirst()
    if (!dog || !(await isVisibleTo(trx, user_id, [owner_id], 'news'))) continue
    const isThanked = is_thanked === 1
    await notify(trx, 'home', { userId: user_id, dogId: dog_id, actorId: owner_id, isThanked }, now)
  }
  return queued.length
}
