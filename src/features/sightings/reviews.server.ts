import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { transact } from '#db/transact.ts'
import { addRefusal, removeRefusal } from '#features/contact/refusals.server.ts'
import { endThreadOfSighting } from '#features/contact/threads.server.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { afterItem, type ReviewSource } from '#features/moderation/review.server.ts'
import type { ReviewDecision } from '#features/moderation/review.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { formatDateTime } from '#lib/dates.ts'
import { AppError } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { shownZone } from '#lib/text/zone.ts'
import { notifyOwner } from './add.server.ts'
import { getSighting, setState } from './judge.server.ts'
import { selectWaiting } from './list.server.ts'
import type { Sighting } from './sightings.ts'

/**
 * What the admin decides about a sighting that waits for them: its owner gets it, or nobody does, its sender is reviewed for a day, and their
 * conversation with the owner ends.
 * @throws AppError 401, 403 for others; 404; 409 for one that does not wait
 */
export async function decideSighting(
  db: Db,
  requester: AdminRequester,
  id: string,
  decision: ReviewDecision,
  now = Date.now(),
): Promise<{ state: Sighting['state'] }> {
  assertAdmin(requester)
  return transact(db, async (trx) => {
    const sighting = await getSighting(trx, id)
    if (sighting.state !== 'review') throw new AppError(409, 'Ya está decidido.')
    const logged = decision === 'keep' ? 'sighting-deliver' : 'sighting-delete'
    await logAdminAction(trx, { adminId: requester.user!.id, action: logged, target: { kind: 'sighting', id } }, now)
    if (decision === 'keep') {
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

/** The sightings that wait for the admin: of senders whom others refused lately, and reported ones. */
export const sightingReviews: ReviewSource = {
  count: (db) => countRows(selectWaiting(db)),
  list: async (db, requester, { after, limit }) => {
    assertAdmin(requester)
    const rows = await selectWaiting(db)
      .select(['s.id', 's.at', 's.zone', 's.words', 's.is_reported', 's.created_at', 'f.width', 'f.height'])
      .select(['g.id as dogId', 'g.name as dogName'])
      .where(afterItem('s.created_at', 's.id', after))
      .orderBy('s.created_at')
      .orderBy('s.id')
      .limit(limit)
      .execute()
    return rows.map(({ id, at, zone, words, dogId, dogName, width, height, is_reported, created_at }) => {
      const facts = `${shownZone(zone)}, ${formatDateTime(at)}`
      return {
        id,
        since: created_at,
        heading: { text: dogInSentence(dogName), path: paths.dogById(dogId) },
        reasons: is_reported === 1 ? ['Denunciado'] : [],
        facts,
        photo:
          width !== null && height !== null
            ? { path: lostPaths.api.sightingPhoto(id), width, height, alt: 'Foto del avistamiento' }
            : null,
        people: [],
        words: [{ text: words }],
        labels: { keep: 'Entregar', delete: 'Rechazar y eliminar' },
        name: ` el avistamiento ${dogInSentence(dogName, 'de')}, ${facts}`,
      }
    })
  },
  decide: decideSighting,
}
