import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { closeReports } from './decisions/decision-log.server.ts'

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
