import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { quoteComment } from '#features/comments/own-comments.server.ts'
import { openReviewCase } from '#features/moderation/reviews.server.ts'
import { insert } from '#tests/support/rows.ts'

/** A comment that waits for the admin out of sight, as versions before held those that the filter doubted. */
export async function holdComment(db: Db, user: { id: string }, dogId: string, content: string, now = Date.now()) {
  const row = { id: randomUUID(), dog_id: dogId, user_id: user.id, content, created_at: now }
  const review = { cause: 'words', reason: 'Parece un anuncio de venta.', authorId: user.id } as const
  const target = { kind: 'comment', id: row.id, dogId, memberIds: [user.id], label: quoteComment(content) } as const
  await transact(db, async (trx) => {
    await insert(trx, 'comments_all', { ...row, hidden: 1 })
    await openReviewCase(trx, target, review, now)
  })
  return row
}
