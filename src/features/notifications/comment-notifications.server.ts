import type { Db } from '#db/client.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import { recipientsOf } from './like-notifications.server.ts'
import { dogInSentence } from './notifications.ts'
import { notify, publishBellChange } from './notifications.server.ts'

/** As much of a comment as a line of the bell quotes, in characters as a person counts them. */
const QUOTE_MAX_CHARS = 80

/**
 * A comment in one sentence: «Ana ha comentado en Toby: «¡Qué guapo!»», its line ends and longer gaps as spaces.
 * @param dog the dog as sentences name it (`dogInSentence`)
 */
export function commentSentence(alias: string, dog: string, comment: string): string {
  const text = comment.replace(/\s+/g, ' ')
  const quoted = truncateCharacters(text, QUOTE_MAX_CHARS)
  return `${alias} ha comentado en ${dog}: «${quoted}${quoted === text ? '' : '…'}»`
}

/** Tells the dog's people that somebody commented on it, with the comment's first words. */
export async function notifyComment(
  trx: Db,
  comment: { user_id: string; alias: string; content: string },
  dog: { id: string; name: string; owner_id: string | null; discoverer_id: string | null },
  now = Date.now(),
): Promise<void> {
  const content = commentSentence(comment.alias, dogInSentence(dog.name), comment.content)
  for (const userId of recipientsOf(dog, comment.user_id))
    await notify(
      trx,
      { userId, type: 'comment', title: 'Nuevo comentario', content, dogId: dog.id, actorId: comment.user_id },
      now,
    )
}

/** Takes from the bells the lines that quote a comment, which were written in the moment it was. */
export async function deleteCommentNotifications(
  trx: Db,
  comment: { user_id: string; dog_id: string; created_at: number },
): Promise<void> {
  const gone = await trx
    .deleteFrom('notifications')
    .where('type', '=', 'comment')
    .where('actor_id', '=', comment.user_id)
    .where('dog_id', '=', comment.dog_id)
    .where('created_at', '=', comment.created_at)
    .returning(['id', 'user_id'])
    .execute()
  for (const line of gone) await publishBellChange(trx, line.user_id, { gone: line.id })
}
