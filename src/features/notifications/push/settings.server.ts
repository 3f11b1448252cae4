import type { Db } from '#db/client.ts'
import type { NoticeSettingsTable } from '#db/schema.ts'
import { unauthenticated } from '#lib/errors.ts'
import { DEFAULT_SETTINGS, type NoticeSettings } from './settings.ts'

/** A row as the code reads it; the usual where there is none. */
export function toSettings(row: Omit<NoticeSettingsTable, 'user_id'> | undefined): NoticeSettings {
  if (!row) return DEFAULT_SETTINGS
  const { quiet_from: from, quiet_to: to } = row
  return {
    likes: row.likes === 1,
    comments: row.comments === 1,
    others: row.others === 1,
    quiet: from === null || to === null ? null : { from, to },
    time_zone: row.time_zone,
  }
}

export async function readSettings(db: Db, userId: string): Promise<NoticeSettings> {
  return toSettings(await db.selectFrom('notice_settings').selectAll().where('user_id', '=', userId).executeTakeFirst())
}

/** @throws AppError 401 */
export async function saveSettings(db: Db, user: { id: string } | null, given: NoticeSettings): Promise<void> {
  if (!user) throw unauthenticated()
  const row = {
    likes: given.likes ? 1 : 0,
    comments: given.comments ? 1 : 0,
    others: given.others ? 1 : 0,
    quiet_from: given.quiet?.from ?? null,
    quiet_to: given.quiet?.to ?? null,
    time_zone: given.time_zone,
  } as const
  await db
    .insertInto('notice_settings')
    .values({ user_id: user.id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}
