import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'

/** The member's lost dogs, and what ended searches have left. */
export async function exportLostDogs(db: Db, userId: string) {
  const lostCases = await db
    .selectFrom('lost_cases')
    .selectAll()
    .where('owner_id', '=', userId)
    .orderBy('opened_at')
    .execute()
  const lostHistory = await db.selectFrom('lost_history').selectAll().where('owner_id', '=', userId).execute()
  return {
    perros_perdidos: lostCases.map((row) => ({
      dog_id: row.dog_id,
      desde: toIsoString(row.since),
      zona: row.zone,
      punto: row.lat === null ? null : { lat: row.lat, lon: row.lon },
      punto_que_ven_otros: { lat: row.shown_lat, lon: row.shown_lon },
      que_ayuda: row.help,
      chip: row.chip === null ? null : row.chip === 1,
      codigo: row.code,
      avisa_a: row.alerts,
      created_at: toIsoString(row.opened_at),
    })),
    busquedas: lostHistory.map((row) => ({
      dog_id: row.dog_id,
      terminada: toIsoString(row.ended_at),
      ultimo_aviso_a_otros: toIsoString(row.alerted_at),
      gracias: toIsoString(row.thanked_at),
      ...(row.is_unanswered === 1 && { desde: toIsoString(row.since), zona: row.zone, que_ayuda: row.help }),
    })),
  }
}
