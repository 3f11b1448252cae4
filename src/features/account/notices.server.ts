import type { Db } from '#db/client.ts'
import { setDigest, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { readSettings, saveSettings } from '#features/notifications/push/settings.server.ts'
import { unauthenticated } from '#lib/errors.ts'
import type { Notices } from './notices.ts'

export async function readNotices(db: Db, userId: string): Promise<Notices> {
  return { ...(await readSettings(db, userId)), digest: await wantsDigest(db, userId) }
}

/** @throws AppError 401 */
export async function saveNotices(db: Db, user: { id: string } | null, given: Notices): Promise<void> {
  if (!user) throw unauthenticated()
  const { digest, ...settings } = given
  await db.transaction().execute(async (trx) => {
    await saveSettings(trx, user, settings)
    await setDigest(trx, user.id, digest)
  })
}
