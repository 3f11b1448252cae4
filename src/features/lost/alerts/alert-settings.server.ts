import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { cellOf } from '#lib/geo-cells.ts'
import { type AlertRadius, LOST_ALERT_TEXTS, type LostAlerts, type LostAlertsInput } from './lost-alerts.ts'

/** Where and how the member is alerted of lost dogs; null where they are not. */
export async function readLostAlerts(db: Db, userId: string): Promise<LostAlerts | null> {
  const row = await db.selectFrom('lost_alert_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!row) return null
  return {
    zone: row.zone,
    radius_km: row.radius_km as AlertRadius,
    breaks_quiet: row.breaks_quiet === 1,
    by_mail: row.by_mail === 1,
    by_push: row.by_push === 1,
  }
}

/** The place that a text means. @throws AppError 422 for one that is nowhere, and for one of several provinces */
function resolveZone(text: string) {
  const place = findPlace(text)
  if (!place) throw invalid(LOST_ALERT_TEXTS.unknown, { zone: LOST_ALERT_TEXTS.unknown })
  if (place.kind === 'region' && provinceOf(text) === '')
    throw invalid(LOST_ALERT_TEXTS.tooWide, { zone: LOST_ALERT_TEXTS.tooWide })
  return place
}

const toFlag = (isOn: boolean) => (isOn ? (1 as const) : (0 as const))

/**
 * Sets where and how the member is alerted. The gazetteer's name of the zone is stored, not what was typed.
 * @throws AppError 401; 422 for a zone that is nowhere or too wide
 */
export async function saveLostAlerts(
  db: Db,
  user: Requester,
  input: LostAlertsInput,
  now = Date.now(),
): Promise<LostAlerts> {
  if (!user) throw unauthenticated()
  const { name: zone, lat, lon } = resolveZone(input.zone)
  const { radius_km } = input
  const row = {
    zone,
    lat,
    lon,
    radius_km,
    cell: cellOf({ lat, lon }, radius_km),
    breaks_quiet: toFlag(input.breaks_quiet),
    by_mail: toFlag(input.by_mail),
    by_push: toFlag(input.by_push),
  }
  await transact(db, async (trx) => {
    const exists = await trx.selectFrom('users').select('id').where('id', '=', user.id).executeTakeFirst()
    if (!exists) throw unauthenticated()
    await trx
      .insertInto('lost_alert_settings')
      .values({ user_id: user.id, ...row, created_at: now })
      // Another zone does not reset the count of the day's alerts.
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute()
  })
  return { ...input, zone }
}

/** Stops the member's alerts; idempotent. @throws AppError 401 */
export async function deleteLostAlerts(db: Db, user: Requester): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, (trx) => trx.deleteFrom('lost_alert_settings').where('user_id', '=', user.id).execute())
}

/** Alerts the member by no more mails; idempotent. */
export async function stopAlertMails(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('lost_alert_settings').set({ by_mail: 0 }).where('user_id', '=', userId).execute()
}
