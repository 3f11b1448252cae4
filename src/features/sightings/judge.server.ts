import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { addRefusal, removeRefusal } from '#features/contact/refusals.server.ts'
import { endThreadOfSighting } from '#features/contact/threads.server.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { isEstablished } from '#features/moderation/established-members.server.ts'
import { type AdminRequester, assertAdmin, type Requester } from '#lib/auth/current-user.ts'
import { AppError, notFound, unauthenticated } from '#lib/errors.ts'
import { notifyAdmin, notifyOwner } from './add.server.ts'
import { type Sighting, SIGHTING_TEXTS } from './sightings.ts'

/** `refuse`: of no use, or false. `keep`: undoes `refuse`. `report`: sends it to the admin's review. */
export type OwnerAction = 'refuse' | 'keep' | 'report'
export type AdminAction = 'deliver' | 'refuse'
type State = Sighting['state']

/** A sighting with its dog's owner. @throws AppError 404 */
export async function getSighting(trx: Trx, id: string) {
  const sighting = await trx
    .selectFrom('sightings as s')
    .innerJoin('lost_cases as c', 'c.id', 's.case_id')
    .leftJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select([
      's.id',
      's.state',
      's.network',
      's.member_id',
      's.secret_hash',
      's.is_reported',
      's.case_id',
      'd.owner_id',
      'c.dog_id',
    ])
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (!sighting) throw notFound(SIGHTING_TEXTS.gone)
  return sighting
}

const setState = (trx: Trx, id: string, state: State, is_reported: 0 | 1) =>
  trx.updateTable('sightings').set({ state, is_reported }).where('id', '=', id).execute()

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
    const sighting = await getSighting(trx, id)
    if (sighting.owner_id !== user.id || sighting.state === 'review') throw notFound(SIGHTING_TEXTS.gone)
    await assertNotBanned(trx, user.id, now)
    const state = ({ refuse: 'refused', keep: 'delivered', report: 'review' } as const)[action]
    if (state !== sighting.state) {
      await setState(trx, id, state, action === 'report' ? 1 : 0)
      if (action === 'keep') await removeRefusal(trx, id)
      // A refusal counts against the sender, so not where the owner sent the sighting themselves; nor by accounts that are made for it.
      else if (
        sighting.member_id !== user.id &&
        sighting.state !== 'refused' &&
        (await isEstablished(trx, user.id, now))
      )
        await addRefusal(trx, sighting, { userId: user.id, network }, now)
      if (action === 'report') await notifyAdmin(trx, adminEmail, now)
    }
    return { state, dogId: sighting.dog_id }
  })
}

/**
 * What the admin decides about a sighting that waits for them: its owner gets it, or nobody does, its sender is reviewed for a day, and their
 * conversation with the owner ends.
 * @throws AppError 401, 403 for others; 404; 409 for one that does not wait
 */
export async function decideSighting(
  db: Db,
  requester: AdminRequester,
  id: string,
  action: AdminAction,
  now = Date.now(),
): Promise<{ state: State }> {
  assertAdmin(requester)
  return transact(db, async (trx) => {
    const sighting = await getSighting(trx, id)
    if (sighting.state !== 'review') throw new AppError(409, 'Ya está decidido.')
    const logged = action === 'deliver' ? 'sighting-deliver' : 'sighting-delete'
    await logAdminAction(trx, { adminId: requester.user!.id, action: logged, target: { kind: 'sighting', id } }, now)
    if (action === 'deliver') {
      await setState(trx, id, 'delivered', 0)
      // The owner who reported it has seen it.
      const { case_id, dog_id, owner_id, is_reported } = sighting
      if (is_reported === 1) await removeRefusal(trx, id)
      else if (owner_id !== null) await notifyOwner(trx, { caseId: case_id, dogId: dog_id, ownerId: owner_id }, now)
      return { state: 'delivered' as const }
    }
    await addRefusal(trx, sighting, null, now)
    await endThreadOfSighting(trx, sighting, 'admin')
    // Its words and photo are of no use to anybody any more.
    await trx.deleteFrom('sightings').where('id', '=', id).execute()
    return { state: 'refused' as const }
  })
}
