import type { Db } from '#db/client.ts'
import { madridDay } from '#lib/dates.ts'

/** Long enough for questions about a closed report. */
const CLOSED_REPORT_RETENTION_MS = 365 * 86_400_000

/** Deletes reports closed a year ago, with their explanations, and the hash keys of past days. @returns rows deleted */
export async function deleteExpiredReports(db: Db, now: number): Promise<number> {
  const reports = await db
    .deleteFrom('reports')
    .where('closed_at', '<=', now - CLOSED_REPORT_RETENTION_MS)
    .executeTakeFirstOrThrow()
  const keys = await db.deleteFrom('report_keys').where('day', '!=', madridDay(now)).executeTakeFirstOrThrow()
  return Number(reports.numDeletedRows + keys.numDeletedRows)
}
