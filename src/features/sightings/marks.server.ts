import type { Db } from '#db/client.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { requireOwnCaseId, selectReceived } from './list.server.ts'
import type { SightingMarks } from './sightings.ts'

/** The newest of a case that are numbered and drawn. */
const MARKS_MAX = 300

/** What the owner's map shows: all sightings, on whichever page of the list. @throws AppError as `listSightings` */
export async function listSightingMarks(db: Db, user: Requester, dogId: string): Promise<SightingMarks> {
  const caseId = await requireOwnCaseId(db, user, dogId)
  const lost = await db
    .selectFrom('lost_cases')
    .select(['lat', 'lon', 'shown_lat', 'shown_lon'])
    .where('id', '=', caseId)
    .executeTakeFirstOrThrow()
  const ofCase = selectReceived(db, caseId)
  const { count } = await ofCase.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await ofCase
    .select(['s.id', 's.at', 's.lat', 's.lon', 's.zone', 's.state'])
    .orderBy('s.at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(MARKS_MAX)
    .execute()
  const marks = rows.map(({ id, at, lat, lon, zone, state }, index) => {
    const exact = lat === null || lon === null ? null : { lat, lon }
    const point = state === 'refused' ? null : (exact ?? findCentre(zone))
    return { id, number: Number(count) - index, at, zone, point, isApproximate: exact === null }
  })
  const { lat, lon } = lost
  const home =
    lat === null || lon === null
      ? { lat: lost.shown_lat, lon: lost.shown_lon, isApproximate: true }
      : { lat, lon, isApproximate: false }
  return { marks: marks.toReversed(), home }
}

function findCentre(zone: string): GeoPoint | null {
  const place = findPlace(zone)
  return place && { lat: place.lat, lon: place.lon }
}
