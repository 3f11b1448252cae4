import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { PHOTO_PAGE_SIZE, readPages } from './export-pages.server.ts'

type Position = { created_at: number; id: string }

const selectSightings = (db: Db, table: 'sightings' | 'sightings_all', after: Position) =>
  db
    .selectFrom(`${table as 'sightings'} as s`)
    .innerJoin('lost_cases as c', 'c.id', 's.case_id')
    .leftJoin('sighting_photos as f', 'f.sighting_id', 's.id')
    .select(['s.id', 's.at', 's.lat', 's.lon', 's.zone', 's.words', 's.created_at', 'c.dog_id', 'f.data'])
    .where((eb) => eb(eb.refTuple('s.created_at', 's.id'), '>', eb.tuple(after.created_at, after.id)))
    .orderBy('s.created_at')
    .orderBy('s.id')
    .limit(PHOTO_PAGE_SIZE)

/** By the index sightings_member. */
const readSent = (db: Db, userId: string) =>
  readPages(
    (after) => selectSightings(db, 'sightings_all', after).where('s.member_id', '=', userId).execute(),
    PHOTO_PAGE_SIZE,
  )

/** Those of others that arrived for the member's lost dogs, by the indexes lost_cases_owner and sightings_case. */
const readReceived = (db: Db, userId: string) =>
  readPages(
    (after) =>
      selectSightings(db, 'sightings', after)
        .where('c.owner_id', '=', userId)
        .where('s.member_id', 'is distinct from', userId)
        .execute(),
    PHOTO_PAGE_SIZE,
  )

/** The sightings that the member sent, then those that arrived for their lost dogs, without who sent them; each oldest first. */
export async function* exportSightings(db: Db, userId: string) {
  for (const [isSent, pages] of [
    [true, readSent(db, userId)],
    [false, readReceived(db, userId)],
  ] as const)
    for await (const rows of pages)
      for (const row of rows)
        yield {
          perro: row.dog_id,
          enviado_por_ti: isSent,
          visto: toIsoString(row.at),
          lat: row.lat,
          lon: row.lon,
          zona: row.zone,
          palabras: row.words,
          foto_jpeg_base64: row.data,
          created_at: toIsoString(row.created_at),
        }
}
