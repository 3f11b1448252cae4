import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'

/** Each has a photo of some hundred kB with it. */
const PAGE_SIZE = 20

/** The sightings that the member sent, oldest first, and those that arrived for their lost dogs, without who sent them. */
export async function* exportSightings(db: Db, userId: string) {
  for (let after = { created_at: 0, id: '' }; ; await nextTurn()) {
    const { created_at, id } = after
    const rows = await db
      .selectFrom('sightings as s')
      .innerJoin('lost_cases as c', 'c.id', 's.case_id')
      .leftJoin('sighting_photos as f', 'f.sighting_id', 's.id')
      .select(['s.id', 's.member_id', 's.at', 's.lat', 's.lon', 's.zone', 's.words', 's.created_at', 'c.dog_id'])
      .select('f.data')
      .where((eb) =>
        eb.or([
          eb('s.member_id', '=', userId),
          eb.and([
            eb('c.owner_id', '=', userId),
            eb('s.state', '!=', 'review'),
            // Of members who wait for their deletion they see nothing.
            eb.not(
              eb.exists(
                eb.selectFrom('account_deletions as l').select('l.user_id').whereRef('l.user_id', '=', 's.member_id'),
              ),
            ),
          ]),
        ]),
      )
      .where((eb) => eb(eb.refTuple('s.created_at', 's.id'), '>', eb.tuple(created_at, id)))
      .orderBy('s.created_at')
      .orderBy('s.id')
      .limit(PAGE_SIZE)
      .execute()
    for (const row of rows)
      yield {
        perro: row.dog_id,
        enviado_por_ti: row.member_id === userId,
        visto: toIsoString(row.at),
        lat: row.lat,
        lon: row.lon,
        zona: row.zone,
        palabras: row.words,
        foto_jpeg_base64: row.data,
        created_at: toIsoString(row.created_at),
      }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE) return
    after = last
  }
}
