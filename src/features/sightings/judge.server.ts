import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { addRefusal, removeRefusals } from '#features/contact/refusals.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { hide } from '#features/moderation/content.server.ts'
import { isEstablished } from '#features/moderation/established-members.server.ts'
import { notifyAdmin } from '#features/notifications/notify.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { notFound, unauthenticated } from '#lib/errors.ts'
import { waitingLine } from './list.server.ts'
import { type Sighting, SIGHTING_TEXTS } from './sightings.ts'

/** `refuse`: of no use, or false. `keep`: undoes `refuse`. `report`: sends it to the admin's review. */
export type OwnerAction = 'refuse' | 'keep' | 'report'
type State = Sighting['state']

/** A sighting with its dog's owner; of the view, one that is shown. @throws AppError 404 */
export async function getSighting(trx: Trx, id: string, table: 'sightings' | 'sightings_all' = 'sightings_all') {
  const sighting = await trx
    .selectFrom(`${table as 'sightings'} as s`)
    .innerJoin('lost_cases as c', 'c.id', 's.case_id')
    .leftJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['s.id', 's.state', 's.hidden', 's.network', 's.member_id', 's.secret_hash', 's.case_id'])
    .select(['d.owner_id', 'c.dog_id'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (!sighting) throw notFound(SIGHTING_TEXTS.gone)
  return sighting
}

/** A sighting that reached the owner of its dog. @throws AppError 403 for a banned owner; 404 for others, and where it waits for the admin */
export async function getReceived(trx: Trx, ownerId: string, id: string, now: number) {
  const sighting = await getSighting(trx, id, 'sightings')
  if (sighting.owner_id !== ownerId) throw notFound(SIGHTING_TEXTS.gone)
  await assertNotBanned(trx, ownerId, now)
  return sighting
}

/**
 * Applies the owner's decision about a sighting; idempotent. A refused one counts against its sender, where the owner is an established member,
 * and stays in the owner's list. A reported one counts too, and waits for the admin.
 * @param options `network`: IP address of the owner, stored as a hash of the day
 * @throws AppError 401; 403 for a banned owner; 404 for others, and where it waits for the admin
 */
export async function judgeSighting(
  db: Db,
  user: Requester,
  id: string,
  action: OwnerAction,
  { network, adminEmail, now = Date.now() }: { network: string; adminEmail?: string | undefined; now?: number },
): Promise<{ state: State; dogId: string }> {
  if (!user) throw unauthenticated()
  return transact(db, async (trx) => {
    const sighting = await getReceived(trx, user.id, id, now)
    const state = ({ refuse: 'refused', keep: 'delivered', report: 'review' } as const)[action]
    if (state !== sighting.state) {
      const stored = state === 'refused' ? state : 'delivered'
      await trx.updateTable('sightings_all').set({ state: stored }).where('id', '=', id).execute()
      if (action === 'report') await hide(trx, 'sighting', id, 'reports')
      if (action === 'keep') await removeRefusals(trx, [id])
      // A refusal counts against the sender, so not where the owner sent the sighting themselves; nor by accounts that are made for it.
      else if (
        sighting.member_id !== user.id &&
        sighting.state !== 'refused' &&
        (await isEstablished(trx, user.id, now))
      )
        await addRefusal(trx, sighting, { userId: user.id, network }, now)
      if (action === 'report') await notifyAdmin(trx, adminEmail, 'review', await waitingLine(trx), now)
    }
    return { state, dogId: sighting.dog_id }
  })
}
