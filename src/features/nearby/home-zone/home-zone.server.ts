import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { alertCell, PROVINCE_RANGE } from '../alerts/alert-cells.ts'
import { type AlertDistance, type AlertRange, HOME_ZONE_TEXTS, type HomeZone, type HomeZoneInput } from './home-zone.ts'

const selectHomeZone = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('home_zones').selectAll().where('user_id', '=', userId),
)

const toRange = (km: number | null): AlertRange => (km === PROVINCE_RANGE ? 'province' : (km as AlertDistance | null))

/** The zone that the member calls home; null where they have named none. */
export async function readHomeZone(db: Db, userId: string): Promise<HomeZone | null> {
  const [row] = await selectHomeZone(db, { userId })
  if (!row) return null
  return { zone: row.zone, province: row.province, alert: toRange(row.alert_km), digest: row.in_digest === 1 }
}

/** The place that a text means. @throws AppError 422 for one that is nowhere, and for one of several provinces */
function resolveZone(text: string) {
  const place = findPlace(text)
  if (!place) throw invalid(HOME_ZONE_TEXTS.unknown, { zone: HOME_ZONE_TEXTS.unknown })
  const province = provinceOf(text)
  if (place.kind === 'region' && province === '')
    throw invalid(HOME_ZONE_TEXTS.tooWide, { zone: HOME_ZONE_TEXTS.tooWide })
  return { place, province }
}

/**
 * Sets the member's home zone. The gazetteer's name is stored, not what was typed.
 * @throws AppError 401; 422 for a zone that is nowhere or too wide, and for alerts of a province where there is none
 */
export async function saveHomeZone(
  db: Db,
  user: Requester,
  { zone, alert, digest }: HomeZoneInput,
  now = Date.now(),
): Promise<HomeZone> {
  if (!user) throw unauthenticated()
  const { place, province } = resolveZone(zone)
  if (alert === 'province' && province === '')
    throw invalid(HOME_ZONE_TEXTS.noProvince, { alert: HOME_ZONE_TEXTS.noProvince })
  const row = {
    zone: place.name,
    province,
    lat: place.lat,
    lon: place.lon,
    alert_km: alert === 'province' ? PROVINCE_RANGE : alert,
    alert_cell: alertCell({ lat: place.lat, lon: place.lon, province }, alert),
    in_digest: digest ? (1 as const) : (0 as const),
  }
  await transact(db, async (trx) => {
    const exists = await trx.selectFrom('users').select('id').where('id', '=', user.id).executeTakeFirst()
    if (!exists) throw unauthenticated()
    await trx
      .insertInto('home_zones')
      .values({ user_id: user.id, ...row, created_at: now })
      // The day of the last alert stays: another zone is no second alert.
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute()
  })
  return { zone: row.zone, province, alert, digest }
}

/** Forgets the member's home zone, with its alerts; idempotent. @throws AppError 401 */
export async function deleteHomeZone(db: Db, user: Requester): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, (trx) => trx.deleteFrom('home_zones').where('user_id', '=', user.id).execute())
}
