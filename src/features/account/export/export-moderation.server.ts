import type { Db } from '#db/client.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { EXPORT_PAGE_SIZE, readPages } from './export-pages.server.ts'

/** ISO 8601 of milliseconds; null for none. */
export const toIsoString = (time: number | null) => (time ? new Date(time).toISOString() : null)

/** The decisions about the member, with their appeals; by index decision_people_user. */
export async function* exportDecisions(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('decision_people as a')
      .innerJoin('decisions as d', 'd.id', 'a.decision_id')
      .select(['a.decision_id as id', 'd.kind', 'd.what', 'd.deed', 'd.reason', 'd.until'])
      // The same as the decision's own.
      .select(['a.created_at', 'a.appeal', 'a.appeal_at'])
      .where('a.user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('a.created_at', 'a.decision_id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('a.created_at')
      .orderBy('a.decision_id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { id: _id, kind, what, deed, reason, until, created_at, appeal, appeal_at } of rows)
      yield {
        kind,
        what,
        deed,
        reason,
        until: toIsoString(until),
        created_at: toIsoString(created_at),
        appeal,
        appeal_at: toIsoString(appeal_at),
      }
}

/** The member's hidden comments, opinions and profile. */
export async function* exportHidden(db: Db, userId: string) {
  const read = (table: 'comments_all' | 'breed_opinions_all' | 'profiles_all', column: 'id' | 'user_id') =>
    db
      .selectFrom(table as 'comments_all')
      .selectAll()
      .where(column, '=', userId)
      .where('hidden', '>', 0)
      .execute()
  for (const { hidden: _, ...row } of await read('comments_all', 'user_id')) yield { kind: 'comment', ...row }
  for (const { hidden: _, ...row } of await read('profiles_all', 'id')) yield { kind: 'profile', ...row }
  for (const { hidden: _, ...row } of await read('breed_opinions_all', 'user_id')) yield { kind: 'opinion', ...row }
}

/** The member's ban; null for none. */
export async function exportBan(db: Db, userId: string, now: number) {
  const ban = await findActiveBan(db, userId, now)
  return ban ? { hasta: toIsoString(ban.until), motivo: ban.reason } : null
}
