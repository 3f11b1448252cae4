import type { Trx } from '#db/client.ts'
import { mainCause } from '#db/content.ts'
import { countRows } from '#db/count-rows.ts'
import { addRefusal, removeRefusals } from '#features/contact/refusals.server.ts'
import { endThreadOfSighting } from '#features/contact/threads.server.ts'
import { REVIEWED, show } from '#features/moderation/content.server.ts'
import { inPage, type ReviewSource } from '#features/moderation/review.server.ts'
import type { ReviewDecision } from '#features/moderation/review.ts'
import { formatDateTime } from '#lib/dates.ts'
import { AppError } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { shownZone } from '#lib/text/zone.ts'
import { notifyOwner } from './add.server.ts'
import { getSighting } from './judge.server.ts'
import { selectWaiting } from './list.server.ts'

/** The owner of the dog gets it; or nobody does, its sender is reviewed for a day, and their conversation with the owner ends. */
async function decideSighting(trx: Trx, id: string, decision: ReviewDecision, now: number): Promise<void> {
  const sighting = await getSighting(trx, id)
  if (sighting.hidden === 0) throw new AppError(409, 'Ya está decidido.')
  if (decision === 'keep') {
    await show(trx, 'sighting', id, ...REVIEWED)
    // The owner who reported it has seen it.
    const { case_id, dog_id, owner_id, hidden } = sighting
    if (mainCause(hidden) === 'reports') await removeRefusals(trx, [id])
    else if (owner_id !== null) await notifyOwner(trx, { caseId: case_id, dogId: dog_id, ownerId: owner_id }, now)
    return
  }
  await addRefusal(trx, sighting, null, now)
  await endThreadOfSighting(trx, sighting, 'admin')
  // Its words and photo are of no use to anybody any more.
  await trx.deleteFrom('sightings_all').where('id', '=', id).execute()
}

/** The sightings that wait for the admin: of senders whom others refused lately, and reported ones. */
export const sightingReviews: ReviewSource = {
  count: (db) => countRows(selectWaiting(db)),
  list: async (db, page) => {
    const rows = await selectWaiting(db)
      .select(['s.id', 's.at', 's.zone', 's.words', 's.hidden', 's.created_at', 'f.width', 'f.height'])
      .select(['g.id as dogId', 'g.name as dogName'])
      .$call(inPage('s.created_at', 's.id', page))
      .execute()
    return rows.map(({ id, at, zone, words, dogId, dogName, width, height, hidden, created_at }) => {
      const facts = `${shownZone(zone)}, ${formatDateTime(at)}`
      return {
        id,
        since: created_at,
        heading: { text: dogInSentence(dogName), path: paths.dogById(dogId) },
        reasons: mainCause(hidden) === 'reports' ? ['Denunciado'] : [],
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
  logged: { keep: 'sighting-deliver', delete: 'sighting-delete' },
}
