import type { Trx } from '#db/client.ts'
import { notify } from '#features/notifications/notify.server.ts'

/** What waits for the admin, as one line in their bell. */
export interface ReviewLine {
  title: string
  /** Nothing of what waits is quoted. */
  content: string
  /** The page on which it is decided, by which the line is found. */
  link: string
}

/**
 * Notifies the admin, if the site has one, of what waits for them: one unread line a page, however much arrives, and one push for it.
 * Call it in the transaction that adds to it.
 */
export async function notifyReviews(
  trx: Trx,
  adminEmail: string | undefined,
  line: ReviewLine,
  now: number,
): Promise<void> {
  if (!adminEmail) return
  const admin = await trx.selectFrom('users').select('id').where('email', '=', adminEmail).executeTakeFirst()
  if (admin) await notify(trx, 'review', { userId: admin.id, ...line }, now)
}
