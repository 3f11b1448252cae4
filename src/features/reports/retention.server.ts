import type { Db } from '#db/client.ts'
import { madridDay } from '#lib/dates.ts'

/** So long after it was settled a report has been read by whoever may ask about it. */
const CLOSED_REPORT_RETENTION_MS = 365 * 86_400_000

/** Reports settled a year ago, with what somebody wrote, and the keys of past days. @returns rows gone */
export async function deleteExpiredReports(db: Db, now: number): Promise<number> {
  const reports = await db
    .deleteFrom('reports')
    .where('closed_at', '<=', now - CLOSED_REPORT_RETENTION_MS)
    .executeTakeFirstOrThrow()
  const keys = await db.deleteFrom('report_keys').where('day', '!=', madridDay(now)).executeTakeFirstOrThrow()
  return Number(reports.numDeletedRows + keys.numDeletedRows)
}
