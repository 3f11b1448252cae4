import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { DAY_MS } from '#lib/time.ts'
import { SECURITY_LOG_PAGE_SIZE, type SecurityEvent, type SecurityLogEntry } from './security-log.ts'

/**
 * Entries of one event and account in a day. What comes beyond them is not recorded: the log neither grows without bound, nor can somebody
 * push out earlier entries.
 */
const MAX_ENTRIES_PER_DAY = 200

const CURSOR_ORDER = 'security-log'

/**
 * Records what happened with an account. Call it in the transaction of the action.
 * @param fields.detail how they signed in, the provider, or the passkey's name
 * @param fields.device browser and system, as `describeDevice` names them
 */
export async function logSecurityEvent(
  trx: Trx,
  userId: string,
  event: SecurityEvent,
  { detail = null, device = null }: { detail?: string | null; device?: string | null } = {},
  now = Date.now(),
): Promise<void> {
  const count = await countRows(
    trx
      .selectFrom('security_log')
      .where('user_id', '=', userId)
      .where('created_at', '>', now - DAY_MS)
      .where('event', '=', event),
  )
  if (count >= MAX_ENTRIES_PER_DAY) return
  await trx
    .insertInto('security_log')
    .values({ id: randomUUID(), user_id: userId, event, detail, device, created_at: now })
    .execute()
}

/**
 * A page of the member's log, the newest first, by index security_log_user.
 * @throws AppError 422 for an invalid cursor
 */
export async function listSecurityLog(
  db: Db,
  userId: string,
  { cursor, limit = SECURITY_LOG_PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ rows: SecurityLogEntry[]; nextCursor: string | null }> {
  const at = cursor === undefined ? undefined : decodeCursor(cursor, CURSOR_ORDER)
  let query = db
    .selectFrom('security_log')
    .select(['id', 'event', 'detail', 'device', 'created_at'])
    .where('user_id', '=', userId)
  if (at) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(at.value, at.id)))
  const rows = (await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()) as SecurityLogEntry[]
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit),
    nextCursor: last ? encodeCursor({ order: CURSOR_ORDER, value: last.created_at, id: last.id }) : null,
  }
}
