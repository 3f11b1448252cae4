import type { Db, Trx } from '#db/client.ts'
import { type Selectable, sql, type SqlBool } from 'kysely'
import type { NoticeSettingsTable } from '#db/schema.ts'
import type { Flag } from '#db/tables/system.ts'
import { transact } from '#db/transact.ts'
import { unauthenticated } from '#lib/errors.ts'
import {
  DEFAULT_SETTINGS,
  eachSwitch,
  type NoticeSettings,
  type SavedSettings,
  STORED_SWITCHES,
  type StoredSwitch,
} from './settings.ts'

/** Converts a row; the defaults without one. */
export function toSettings(row: Omit<Selectable<NoticeSettingsTable>, 'user_id'> | undefined): NoticeSettings {
  if (!row) return DEFAULT_SETTINGS
  const { quiet_from: from, quiet_to: to, time_zone } = row
  const quiet = from === null || to === null ? null : { from, to }
  return { ...eachSwitch(STORED_SWITCHES, (name) => row[name] === 1), quiet, time_zone }
}

/** Whether a switch is on, of a `notice_settings` that is joined to those who may have none. */
export const isSwitchOn = (column: `${string}.${StoredSwitch}`) => sql<SqlBool>`coalesce(${sql.ref(column)}, 1) = 1`

export async function readSettings(db: Db, userId: string): Promise<NoticeSettings> {
  return toSettings(await db.selectFrom('notice_settings').selectAll().where('user_id', '=', userId).executeTakeFirst())
}

const toRow = (settings: SavedSettings) => ({
  ...eachSwitch(
    STORED_SWITCHES.filter((name) => settings[name] !== undefined),
    (name) => (settings[name] ? 1 : 0) as Flag,
  ),
  quiet_from: settings.quiet?.from ?? null,
  quiet_to: settings.quiet?.to ?? null,
  time_zone: settings.time_zone,
})

/** @throws AppError 401 */
export async function saveSettings(trx: Trx, user: { id: string } | null, settings: SavedSettings): Promise<void> {
  if (!user) throw unauthenticated()
  const row = toRow(settings)
  await trx
    .insertInto('notice_settings')
    .values({ user_id: user.id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** Sends the member no more «Tal día»; idempotent. @throws AppError 401 */
export async function stopMemories(db: Db, user: { id: string } | null): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, (trx) =>
    trx
      .insertInto('notice_settings')
      .values({ user_id: user.id, ...toRow({ ...DEFAULT_SETTINGS, memories: false }) })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ memories: 0 }))
      .execute(),
  )
}
