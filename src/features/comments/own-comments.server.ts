import type { Selectable } from 'kysely'
import { type HiddenCause, mainCause } from '#db/content.ts'
import type { Db } from '#db/client.ts'
import type { CommentsTable } from '#db/schema.ts'

export type CommentRow = Selectable<CommentsTable>

const OWN_HIDDEN_MAX = 20

/** The whole comment, on one line: nobody approves what they have not read to its end. */
export const quoteComment = (content: string): string => `«${content.replace(/\s+/g, ' ')}»`

/** One member's hidden comments on a dog, newest first, by index comments_user. Only for that member's eyes. */
export async function listHiddenComments(
  db: Db,
  dogId: string,
  userId: string,
): Promise<(Omit<CommentRow, 'hidden'> & { cause: HiddenCause })[]> {
  const rows = await db
    .selectFrom('comments_all')
    .selectAll()
    .where('user_id', '=', userId)
    .where('hidden', '>', 0)
    .where('dog_id', '=', dogId)
    .orderBy('created_at', 'desc')
    .limit(OWN_HIDDEN_MAX)
    .execute()
  return rows.map(({ hidden, ...row }) => ({ ...row, cause: mainCause(hidden) ?? 'admin' }))
}
