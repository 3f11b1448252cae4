import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { hashNetwork } from '#features/contact/sender-networks.server.ts'
import { openThread } from '#features/contact/threads.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { AppError, notFound, unauthenticated } from '#lib/errors.ts'
import { getReceived } from './judge.server.ts'
import { SIGHTING_TEXTS } from './sightings.ts'

/**
 * Opens the conversation of a lost dog's owner with the sender of a sighting, or finds it. The first message notifies the sender.
 * @throws AppError 401; 403 for a banned owner, or with a block between both; 404 for others, and where it waits for the admin; 409 where
 *   nobody can be written to
 */
export async function openSenderThread(
  db: Db,
  user: Requester,
  sightingId: string,
  now = Date.now(),
): Promise<{ id: string }> {
  if (!user) throw unauthenticated()
  return transact(db, async (trx) => {
    const sighting = await getReceived(trx, user.id, sightingId, now)
    const finder = finderOf(sighting)
    if (finder === null || sighting.member_id === user.id) throw new AppError(409, SIGHTING_TEXTS.noSender)
    return openThread(trx, { lostCaseId: sighting.case_id, memberId: user.id, finder }, now)
  })
}

/**
 * Opens the conversation in which who sent a sighting without an account leaves an address, or finds it.
 * @throws AppError 404 where the device has sent none, or the dog is lost no more
 */
export const openOwnThread = (db: Db, dogId: string, secretHash: string, now = Date.now()): Promise<{ id: string }> =>
  transact(db, async (trx) => {
    const sighting = await trx
      .selectFrom('sightings_all as s')
      .innerJoin('lost_cases as c', 'c.id', 's.case_id')
      .innerJoin('dogs as g', (join) => join.onRef('g.id', '=', 'c.dog_id').onRef('g.owner_id', '=', 'c.owner_id'))
      .select(['s.case_id', 'c.owner_id'])
      .where('c.dog_id', '=', dogId)
      .where('s.member_id', 'is', null)
      .where('s.secret_hash', '=', secretHash)
      .where(visibleTo(null, 'presence').of('c.owner_id'))
      .executeTakeFirst()
    if (!sighting) throw notFound(SIGHTING_TEXTS.gone)
    const { case_id: lostCaseId, owner_id: memberId } = sighting
    return openThread(trx, { lostCaseId, memberId, finder: { secretHash }, isWaiting: true }, now)
  })

const finderOf = ({ member_id, secret_hash }: { member_id: string | null; secret_hash: string | null }) => {
  if (member_id !== null) return { userId: member_id }
  return secret_hash === null ? null : { secretHash: secret_hash }
}

/**
 * Puts another secret on a visitor's sighting whose answer did not arrive, unless a conversation hangs on the first, and in the network that sent
 * it alone: a key that others have learnt, or guessed, opens nothing.
 * @param device `network`: IP address of who asks
 * @returns whether the secret opens it now
 */
export async function renewSecret(
  db: Db,
  sightingId: string,
  { hash, network }: { hash: string; network: string },
  now = Date.now(),
): Promise<boolean> {
  const { numUpdatedRows } = await transact(db, async (trx) => {
    const networks = await hashNetwork(trx, network, now)
    return trx
      .updateTable('sightings_all')
      .set({ secret_hash: hash })
      .where('id', '=', sightingId)
      .where('member_id', 'is', null)
      .where('network', 'in', networks)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('contact_threads as t')
              .select('t.id')
              .whereRef('t.secret_hash', '=', 'sightings_all.secret_hash')
              .where('t.secret_hash', '!=', hash),
          ),
        ),
      )
      .executeTakeFirstOrThrow()
  })
  return numUpdatedRows > 0n
}
