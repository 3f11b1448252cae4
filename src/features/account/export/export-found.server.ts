import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE, PHOTO_PAGE_SIZE, readPages } from './export-pages.server.ts'
import { exportSightings } from './export-sightings.server.ts'

/** The notices of dogs that the member found, oldest first. */
export async function* exportFoundNotices(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('found_notices as n')
      .leftJoin('found_photos as f', 'f.notice_id', 'n.id')
      .select(['n.id', 'n.found_at', 'n.zone', 'n.size', 'n.breed_slug', 'n.coat', 'n.collar'])
      .select(['n.words', 'n.question', 'n.created_at', 'f.data'])
      .where('n.member_id', '=', userId)
      .where((eb) => eb(eb.refTuple('n.created_at', 'n.id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('n.created_at')
      .orderBy('n.id')
      .limit(PHOTO_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read, PHOTO_PAGE_SIZE))
    for (const row of rows)
      yield {
        encontrado: toIsoString(row.found_at),
        zona: row.zone,
        tamano: row.size,
        raza: row.breed_slug,
        pelo: row.coat,
        collar: row.collar,
        palabras: row.words,
        pregunta: row.question,
        foto_jpeg_base64: row.data,
        created_at: toIsoString(row.created_at),
      }
}

/** What the member answered to finders, oldest first. */
export async function* exportFoundClaims(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('found_claims')
      .select(['id', 'answer', 'state', 'created_at'])
      .where('user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const row of rows) yield { respuesta: row.answer, estado: row.state, created_at: toIsoString(row.created_at) }
}

/** The notices and answers that the member reported and of which the admin has not decided. */
export async function* exportFoundReports(db: Db, userId: string) {
  const rows = await db
    .selectFrom('found_reports')
    .select(['notice_id', 'claim_id', 'reason', 'created_at'])
    .where('reporter_id', '=', userId)
    .orderBy('created_at')
    .execute()
  for (const { notice_id, claim_id, reason, created_at } of rows)
    yield { aviso: notice_id, respuesta: claim_id, motivo: reason, created_at: toIsoString(created_at) }
}

/** Of lost and found dogs, by their names in datos.json. */
export const LOST_AND_FOUND_LISTS = {
  avistamientos: exportSightings,
  perros_encontrados: exportFoundNotices,
  respuestas_a_quien_encontro: exportFoundClaims,
  denuncias_de_encontrados: exportFoundReports,
}
