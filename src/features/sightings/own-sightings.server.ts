import type { Db } from '#db/client.ts'
import { mainCause } from '#db/content.ts'
import { transact } from '#db/transact.ts'
import { endThreadOfSighting } from '#features/contact/threads.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { getSighting } from './judge.server.ts'
import { OWN_SIGHTINGS_MAX, type OwnSighting, SIGHTING_TEXTS } from './sightings.ts'

/** Who sent sightings: a member, and the device of a visitor by the hash of its secret. */
export interface SightingSender {
  userId: string | null
  secretHash: string | null
}

const isSender = (
  sighting: { member_id: string | null; secret_hash: string | null },
  { userId, secretHash }: SightingSender,
): boolean =>
  sighting.member_id === null
    ? secretHash !== null && sighting.secret_hash === secretHash
    : sighting.member_id === userId

/** What the sender has reported of a lost dog, the last one first. */
export async function listOwnSightings(
  db: Db,
  dogId: string,
  { userId, secretHash }: SightingSender,
): Promise<OwnSighting[]> {
  if (userId === null && secretHash === null) return []
  return db
    .selectFrom('sightings_all as s')
    .innerJoin('lost_cases as c', 'c.id', 's.case_id')
    .select(['s.id', 's.at', 's.zone'])
    .where('c.dog_id', '=', dogId)
    .where((eb) =>
      eb.or([
        ...(userId === null ? [] : [eb('s.member_id', '=', userId)]),
        ...(secretHash === null ? [] : [eb.and([eb('s.member_id', 'is', null), eb('s.secret_hash', '=', secretHash)])]),
      ]),
    )
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(OWN_SIGHTINGS_MAX)
    .execute()
}

/**
 * Deletes a sighting with its place and photo at its sender's request, and ends their conversation with the owner: also across a block, for banned members, and while the dog is hidden.
 * @param findSender who asks, of the sightings of a dog
 * @throws AppError 404 for others, so that ids reveal nothing; 409 for one that was reported, until the admin has decided
 */
export async function withdrawSighting(
  db: Db,
  id: string,
  findSender: (dogId: string) => SightingSender,
): Promise<void> {
  await transact(db, async (trx) => {
    const sighting = await getSighting(trx, id)
    if (!isSender(sighting, findSender(sighting.dog_id))) throw notFound(SIGHTING_TEXTS.gone)
    if (mainCause(sighting.hidden) === 'reports') throw new AppError(409, SIGHTING_TEXTS.inReview)
    await trx.deleteFrom('sightings_all').where('id', '=', id).execute()
    await endThreadOfSighting(trx, sighting, 'origin')
  })
}
