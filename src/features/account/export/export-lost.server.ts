import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'

/** The member's lost dogs, what ended searches have left, and their alerts of others' lost dogs. */
export async function exportLostDogs(db: Db, userId: string) {
  const lostCases = await db
    .selectFrom('lost_cases')
    .selectAll()
    .where('owner_id', '=', userId)
    .orderBy('opened_at')
    .execute()
  const lostHistory = await db.selectFrom('lost_history').selectAll().where('owner_id', '=', userId).execute()
  const lostAlerts = await db
    .selectFrom('lost_alert_settings')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const alertedDogs = await db
    .selectFrom('lost_alerted_dogs')
    .select(['dog_id', 'alerted_at'])
    .where('owner_id', '=', userId)
    .orderBy('alerted_at')
    .execute()
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
    perros_de_los_que_se_aviso: alertedDogs.map(({ dog_id, alerted_at }) => ({
      dog_id,
      fecha: toIsoString(alerted_at),
    })),
    avisos_de_perros_perdidos: lostAlerts && {
      zona: lostAlerts.zone,
      km: lostAlerts.radius_km,
      en_horas_de_silencio: lostAlerts.breaks_quiet === 1,
      por_email: lostAlerts.by_mail === 1,
      en_dispositivos: lostAlerts.by_push === 1,
      ultimo_aviso: lostAlerts.alerted_day || null,
      created_at: toIsoString(lostAlerts.created_at),
    },
  }
}
