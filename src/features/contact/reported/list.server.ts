import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { endThreads } from '../threads.server.ts'
import { REPORTED_PAGE_SIZE, type ReportedMessage } from './reported.ts'

const ORDER = 'reported-messages'

const toPerson = (id: string | null, alias: string | null) =>
  id === null ? null : { id, alias: alias ?? FALLBACK_ALIAS }

/** The reported messages, the longest waiting first. @throws AppError 401, 403; 422 for a malformed cursor */
export async function listReportedMessages(
  db: Db,
  requester: AdminRequester,
  { cursor, limit = REPORTED_PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ messages: ReportedMessage[]; nextCursor: string | null }> {
  assertAdmin(requester)
  const after = cursor === undefined ? null : decodeCursor(cursor, ORDER)
  let query = db
    .selectFrom('reported_messages as r')
    .leftJoin('profiles as w', 'w.id', 'r.writer_id')
    .leftJoin('profiles as p', 'p.id', 'r.reporter_id')
    .select(['r.id', 'r.text', 'r.side', 'r.writer_id', 'r.reporter_id', 'r.written_at', 'r.created_at'])
    .select(['w.alias as writerAlias', 'p.alias as reporterAlias'])
    .orderBy('r.created_at')
    .orderBy('r.id')
    .limit(limit + 1)
  if (after) query = query.where((eb) => eb(eb.refTuple('r.created_at', 'r.id'), '>', eb.tuple(after.value, after.id)))
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    messages: page.map((row) => ({
      id: row.id,
      text: row.text,
      side: row.side,
      writer: toPerson(row.writer_id, row.writerAlias),
      reporter: toPerson(row.reporter_id, row.reporterAlias),
      writtenAt: row.written_at,
      reportedAt: row.created_at,
    })),
    nextCursor:
      rows.length > limit && last ? encodeCursor({ order: ORDER, value: last.created_at, id: last.id }) : null,
  }
}

/**
 * «Resuelto» deletes the copy, «Eliminar y terminar» the message as well, and ends its conversation; idempotent.
 * @throws AppError 401, 403
 */
export async function resolveReportedMessage(
  db: Db,
  requester: AdminRequester,
  id: string,
  decision: 'keep' | 'delete' = 'keep',
): Promise<void> {
  assertAdmin(requester)
  await transact(db, async (trx) => {
    const row = await trx
      .deleteFrom('reported_messages')
      .where('id', '=', id)
      .returning('message_id')
      .executeTakeFirst()
    if (!row) return
    const message = trx.selectFrom('contact_messages').where('id', '=', row.message_id)
    if (decision === 'delete') {
      await endThreads(trx, 'admin').where('id', 'in', message.select('thread_id')).execute()
      await trx.deleteFrom('contact_messages').where('id', '=', row.message_id).execute()
    }
    const action = decision === 'delete' ? 'message-delete' : 'message-resolve'
    await logAdminAction(trx, { adminId: requester.user!.id, action, target: { kind: 'contact-message', id } })
  })
}
