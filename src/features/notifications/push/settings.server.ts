import type { Db, Trx } from '#db/client.ts'
import type { Selectable } from 'kysely'
import type { NoticeSettingsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { unauthenticated } from '#lib/errors.ts'
import { DEFAULT_SETTINGS, type NoticeSettings, type SavedSettings } from './settings.ts'

/** Converts a row; the defaults without one. */
export function toSettings(row: Omit<Selectable<NoticeSettingsTable>, 'user_id'> | undefined): NoticeSettings {
  if (!row) return DEFAULT_SETTINGS
  const { quiet_from: from, quiet_to: to } = row
  return {
    likes: row.likes === 1,
    comments: row.comments === 1,
    others: row.others === 1,
    quiet: from === null || to === null ? null : { from, to },
    time_zone: row.time_zone,
    follows: row.follows === 1,
    follows_digest: row.follows_digest === 1,
    memories: row.memories === 1,
  }
}

export async function readSettings(db: Db, userId: string): Promise<NoticeSettings> {
  return toSettings(await db.selectFrom('notice_settings').selectAll().where('user_id', '=', userId).executeTakeFirst())
}

const toFlag = (isOn: boolean) => (isOn ? (1 as const) : (0 as const))

const toRow = (settings: SavedSettings) =>
  ({
    likes: toFlag(settings.likes),
    comments: toFlag(settings.comments),
    others: toFlag(settings.others),
    quiet_from: settings.quiet?.from ?? null,
    quiet_to: settings.quiet?.to ?? null,
    time_zone: settings.time_zone,
    ...(settings.follows !== undefined && { follows: toFlag(settings.follows) }),
    ...(settings.follows_digest !== undefined && { follows_digest: toFlag(settings.follows_digest) }),
    ...(settings.memories !== undefined && { memories: toFlag(settings.memories) }),
  }) as const

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
