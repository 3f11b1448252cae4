import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { madridDay } from '#lib/dates.ts'
import { closeReports } from './decisions/decision-log.server.ts'
import { DAY_MS } from '#lib/time.ts'

/** Long enough for questions about a closed report. */
const CLOSED_REPORT_RETENTION_MS = 365 * DAY_MS

/**
 * Closes reports whose case is closed or gone: a crash while they were being closed leaves them. Nobody is notified of these.
 */
export async function closeLeftReports(db: Db, now: number): Promise<void> {
  const targets = await db
    .selectFrom('reports as r')
    .select(['r.kind', 'r.thing_id'])
    .where('r.closed_at', 'is', sql.lit(null))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('cases as c')
            .select('c.id')
            .whereRef('c.kind', '=', 'r.kind')
            .whereRef('c.thing_id', '=', 'r.thing_id')
            .where('c.open', '=', 1),
        ),
      ),
    )
    .groupBy(['r.kind', 'r.thing_id'])
    .execute()
  for (const target of targets) await closeReports(db, target, 'note', now)
}

/** Deletes reports closed a year ago, with their explanations, and the hash keys of past days. @returns rows deleted */
export async function deleteExpiredReports(db: Db, now: number): Promise<number> {
  await closeLeftReports(db, now)
  const reports = await transact(db, (trx) =>
    trx
      .deleteFrom('reports')
      .where('closed_at', '<=', now - CLOSED_REPORT_RETENTION_MS)
      .executeTakeFirstOrThrow(),
  )
  const keys = await transact(db, (trx) =>
    trx.deleteFrom('report_keys').where('day', '!=', madridDay(now)).executeTakeFirstOrThrow(),
  )
  return Number(reports.numDeletedRows + keys.numDeletedRows)
}
