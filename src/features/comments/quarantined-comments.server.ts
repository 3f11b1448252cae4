import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { CommentsTable } from '#db/schema.ts'
import { openReviewCase } from '#features/moderation/cases.server.ts'
import {
  type QuarantineCause,
  findQuarantined,
  quarantine,
  takeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import { truncateCharacters } from '#lib/text/text.ts'

export type CommentRow = Selectable<CommentsTable>

/** Keeps a comment that was never shown. */
export const storeQuarantinedComment = (
  trx: Db,
  row: CommentRow,
  cause: QuarantineCause,
  now = Date.now(),
): Promise<void> =>
  quarantine(trx, { kind: 'comment', id: row.id, dogId: row.dog_id, people: [row.user_id], cause, snapshot: row }, now)

/** Keeps a comment from being shown before the admin has read it. Call it in the deed's own transaction. */
export async function submitCommentForReview(trx: Db, row: CommentRow, why: string): Promise<void> {
  const { id, dog_id: dogId, created_at: now } = row
  const what = `«${truncateCharacters(row.content.replace(/\s+/g, ' '), 200)}»`
  await storeQuarantinedComment(trx, row, 'words', now)
  await openReviewCase(trx, { kind: 'comment', id, dogId, people: [row.user_id], what }, 'words', why, now)
}

/** What one member wrote of a dog that waits or is hidden, newest first: for their eyes only. */
export async function listQuarantinedComments(
  db: Db,
  dogId: string,
  userId: string,
): Promise<(CommentRow & { cause: QuarantineCause })[]> {
  const rows = await db
    .selectFrom('held')
    .select(['snapshot', 'cause'])
    .where('dog_id', '=', dogId)
    .where('kind', '=', 'comment')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute()
  return rows.map(({ snapshot, cause }) => ({ ...(JSON.parse(snapshot) as CommentRow), cause }))
}

/** Takes back what one wrote oneself and nobody else sees. @returns whether there was such a comment */
export async function deleteOwnQuarantined(trx: Db, id: string, userId: string): Promise<boolean> {
  const held = await findQuarantined(trx, 'comment', id)
  if (held?.user_id !== userId) return false
  await takeFromQuarantine(trx, 'comment', id)
  return true
}
