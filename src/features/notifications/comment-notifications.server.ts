import type { Trx } from '#db/client.ts'
import { isVisibleTo } from '#features/moderation/visibility.server.ts'
import { recipientsOf } from './like-notifications.server.ts'
import { notify } from './notify.server.ts'

/**
 * Notifies the dog's owner and discoverer of a comment, with its beginning: those without a block between them and its author, who
 * may have been blocked while it waited for the admin.
 */
export async function notifyComment(
  trx: Trx,
  comment: { id: string; user_id: string; content: string },
  dog: { id: string; owner_id: string | null; discoverer_id: string | null },
  now = Date.now(),
): Promise<void> {
  for (const userId of recipientsOf(dog, comment.user_id))
    if (await isVisibleTo(trx, userId, [comment.user_id], 'news'))
      await notify(trx, 'comment', { userId, dogId: dog.id, actorId: comment.user_id, comment }, now)
}
