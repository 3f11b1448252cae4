import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { ALIAS_PLACEHOLDER, DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import { recipientsOf } from './like-notifications.server.ts'
import { notify, publishDeletedLines } from './notifications.server.ts'

/** The quoted beginning of a comment, in grapheme clusters. */
const QUOTE_MAX_CHARS = 80

/**
 * A comment in one sentence with placeholders for names (names.ts): «Ana ha comentado en Toby: «¡Qué guapo!»». Whitespace is
 * collapsed.
 */
export function commentSentence(comment: string): string {
  const text = comment.replace(/\s+/g, ' ')
  const quoted = truncateCharacters(text, QUOTE_MAX_CHARS)
  return `${ALIAS_PLACEHOLDER} ha comentado en ${DOG_PLACEHOLDER}: «${quoted}${quoted === text ? '' : '…'}»`
}

/** Notifies the dog's owner and discoverer of a comment, with its beginning. */
export async function notifyComment(
  trx: Db,
  comment: { user_id: string; content: string },
  dog: { id: string; owner_id: string | null; discoverer_id: string | null },
  now = Date.now(),
): Promise<void> {
  const content = commentSentence(comment.content)
  for (const userId of recipientsOf(dog, comment.user_id))
    await notify(
      trx,
      { userId, type: 'comment', title: 'Nuevo comentario', content, dogId: dog.id, actorId: comment.user_id },
      now,
    )
}

/** Deletes the lines of bells that quote the comments: they were written at the same time. */
export async function deleteCommentNotifications(
  trx: Db,
  comments: readonly { user_id: string; dog_id: string; created_at: number }[],
): Promise<void> {
  const gone: { id: string; user_id: string }[] = []
  for (const comment of comments)
    gone.push(
      ...(await trx
        .deleteFrom('notifications')
        .where('type', '=', 'comment')
        .where('actor_id', '=', comment.user_id)
        // Not by notifications_dog, which holds the lines of everybody else's comments too.
        .where(sql<boolean>`+dog_id = ${comment.dog_id}`)
        .where('created_at', '=', comment.created_at)
        .returning(['id', 'user_id'])
        .execute()),
    )
  await publishDeletedLines(trx, gone)
}
