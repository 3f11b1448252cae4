import type { Trx as Db } from '#db/client.ts'
import { findCountDrift } from '#features/maintenance/count-drift.server.ts'

/** The counts that do not agree with a recount. */
export const listDriftedCounts = async (db: Db): Promise<string[]> => (await findCountDrift(db)).map(({ name }) => name)
