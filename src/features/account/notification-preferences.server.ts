import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { setDigestEnabled, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { readSettings, saveSettings } from '#features/notifications/push/settings.server.ts'
import { unauthenticated } from '#lib/errors.ts'
import type { NotificationPreferences, SavedPreferences } from './notification-preferences.ts'

export async function readNotificationPreferences(db: Db, userId: string): Promise<NotificationPreferences> {
  return { ...(await readSettings(db, userId)), digest: await wantsDigest(db, userId) }
}

/** Replaces the member's preferences. @throws AppError 401 */
export async function saveNotificationPreferences(
  db: Db,
  user: { id: string } | null,
  preferences: SavedPreferences,
): Promise<void> {
  if (!user) throw unauthenticated()
  const { digest, ...settings } = preferences
  await transact(db, async (trx) => {
    await saveSettings(trx, user, settings)
    await setDigestEnabled(trx, user.id, digest)
  })
}
