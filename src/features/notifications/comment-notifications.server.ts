import type { Trx } from '#db/client.ts'
import { isVisibleTo } from '#features/moderation/visibility.server.ts'
import { ALIAS_PLACEHOLDER, DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import { recipientsOf } from './like-notifications.server.ts'
import { notify } from './notifications.server.ts'

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
  const notification = {
    type: 'comment',
    title: 'Nuevo comentario',
    content: commentSentence(comment.content),
    dogId: dog.id,
    actorId: comment.user_id,
    target: { kind: 'comment', id: comment.id },
  } as const
  for (const userId of recipientsOf(dog, comment.user_id))
    if (await isVisibleTo(trx, userId, [comment.user_id], 'news')) await notify(trx, { userId, ...notification }, now)
}
