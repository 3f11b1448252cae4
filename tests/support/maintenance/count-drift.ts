import { sql } from 'kysely'
import { type Db, sqliteOf } from '#db/client.ts'
import { dialectOf } from '#db/dialect/dialect.ts'
import { COUNTS, findCountDrift } from '#features/maintenance/count-drift.server.ts'

/** The counts that do not agree with a recount. */
export async function listDriftedCounts(db: Db): Promise<string[]> {
  if (dialectOf(db) === 'sqlite') return findCountDrift(sqliteOf(db)).map(({ name }) => name)
  const drifted: string[] = []
  for (const { name, stored, recounted } of COUNTS) {
    const differences = `((${stored}) EXCEPT (${recounted})) UNION ALL ((${recounted}) EXCEPT (${stored}))`
    const { rows } = await sql.raw(`SELECT 1 FROM (${differences}) AS differences LIMIT 1`).execute(db)
    if (rows.length > 0) drifted.push(name)
  }
  return drifted
}
