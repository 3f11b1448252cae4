import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { PHOTO_PAGE_SIZE, readPages } from './export-pages.server.ts'

/** The notices of dogs that the member found, oldest first. */
export async function* exportFoundNotices(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('found_notices_all as n')
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
