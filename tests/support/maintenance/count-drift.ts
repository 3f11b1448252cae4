import { type Db, sqliteOf } from '#db/client.ts'
import { findCountDrift } from '#features/maintenance/count-drift.server.ts'

/** The counts that do not agree with a recount. */
export const listDriftedCounts = (db: Db): string[] => findCountDrift(sqliteOf(db)).map(({ name }) => name)
