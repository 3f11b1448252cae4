import type { Db } from '#db/client.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { readQuarantinedOf } from '#features/moderation/quarantine.server.ts'

/** ISO 8601 of milliseconds; null for none. */
export const toIsoString = (time: number | null) => (time ? new Date(time).toISOString() : null)

/** A member's moderation data: their reports, decisions about them, their blocks, their ban and quarantined texts. */
export async function exportModeration(db: Db, userId: string, now: number) {
  const reports = await db
    .selectFrom('reports')
    .select(['kind', 'thing_id', 'reason', 'words', 'created_at', 'closed_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const decisions = await db
    .selectFrom('decision_people as a')
    .innerJoin('decisions as d', 'd.id', 'a.decision_id')
    .select(['d.kind', 'd.what', 'd.deed', 'd.reason', 'd.until', 'd.created_at', 'a.appeal', 'a.appeal_at'])
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at')
    .execute()
  const blocks = await db.selectFrom('blocks').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
  const ban = await findActiveBan(db, userId, now)
  const hidden = await Array.fromAsync(readQuarantinedOf(db, userId, ['comment', 'profile']))
  return {
    denuncias: reports.map((row) => ({
      ...row,
      created_at: toIsoString(row.created_at),
      closed_at: toIsoString(row.closed_at),
    })),
    decisiones: decisions.map((row) => ({
      ...row,
      until: toIsoString(row.until),
      created_at: toIsoString(row.created_at),
      appeal_at: toIsoString(row.appeal_at),
    })),
    bloqueos: blocks.map((row) => ({ id: row.blocked_id, created_at: toIsoString(row.created_at) })),
    veto: ban ? { hasta: toIsoString(ban.until), motivo: ban.reason } : null,
    ocultos: hidden.map(({ kind, snapshot }) => ({ kind, ...(JSON.parse(snapshot) as object) })),
  }
}
