import type { Db } from '#db/client.ts'
import { findBlockedIds } from '#features/moderation/blocks.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'

const HOME_TITLE = '¡En casa!'

/** Members who are told of a homecoming: whoever reported most of the sightings of one dog is no crowd. */
const MAX_HELPERS = 200

/** Ids of the members whose sightings of a case its owner has, by index sightings_case. Visitors who reported some are not known. */
export async function findHelpers(trx: Db, caseId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('sightings')
    .select('member_id')
    .distinct()
    .where('case_id', '=', caseId)
    .where('state', '=', 'delivered')
    .where('member_id', 'is not', null)
    .where('member_id', 'not in', trx.selectFrom('account_deletions').select('user_id'))
    .limit(MAX_HELPERS)
    .execute()
  return rows.map(({ member_id }) => member_id!)
}

/**
 * Tells members who reported sightings that the dog is at home, and where its owner pressed so, that they are thanked. Call it inside a
 * transaction.
 */
export async function announceHomecoming(
  trx: Db,
  {
    dogId,
    ownerId,
    helperIds,
    thanks,
  }: { dogId: string; ownerId: string; helperIds: readonly string[]; thanks: boolean },
  now: number,
): Promise<void> {
  const blocked = helperIds.length > 0 ? await findBlockedIds(trx, ownerId) : new Set()
  const told = [...new Set(helperIds)].filter((id) => id !== ownerId && !blocked.has(id))
  const content = thanks
    ? `${DOG_PLACEHOLDER} ya está en casa. Su familia te da las gracias por ayudar.`
    : `${DOG_PLACEHOLDER} ya está en casa. ¡Gracias por avisar!`
  for (const userId of told)
    await notify(trx, { userId, type: 'other', title: HOME_TITLE, content, dogId, actorId: ownerId }, now)
}
