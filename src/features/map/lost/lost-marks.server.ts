import type { Db } from '#db/client.ts'
import { lostDogRows } from '#features/lost/list/lost-list.server.ts'
import { lostName } from '#features/lost/list/lost-list.ts'
import { paths } from '#lib/paths.ts'
import type { Area, LostMarks } from '../map.ts'

/** Marks of one response: the newest of the area. */
export const LOST_MARKS_MAX = 200

/**
 * The lost dogs whose circle's centre is in the area, newest first: the point that others may see, never where the dog was last seen.
 * The open cases are walked by lost_cases_opened; there are few of them beside the dogs.
 */
export async function listLostMarks(db: Db, areas: readonly Area[]): Promise<LostMarks> {
  const rows = await lostDogRows(db, {}, LOST_MARKS_MAX)
    .where(({ and, eb, or }) =>
      or(
        areas.map(([west, south, east, north]) =>
          and([
            eb('lost_cases.shown_lon', '>=', west),
            eb('lost_cases.shown_lon', '<=', east),
            eb('lost_cases.shown_lat', '>=', south),
            eb('lost_cases.shown_lat', '<=', north),
          ]),
        ),
      ),
    )
    .execute()
  return {
    type: 'FeatureCollection',
    features: rows.map((row) => ({
      type: 'Feature',
      id: row.dog_id,
      geometry: { type: 'Point', coordinates: [row.shown_lon, row.shown_lat] },
      properties: {
        name: lostName(row.name),
        breed: row.breed,
        zone: row.zone,
        since: row.since,
        photo_url: row.photo_url,
        path: paths.dog(row),
      },
    })),
  }
}
