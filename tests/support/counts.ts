import { type Db, sqliteOf } from '#db/client.ts'
import { drift } from '#features/care/counts.server.ts'

/** The counts that do not agree with a recount. */
export const disagreements = (db: Db): string[] => drift(sqliteOf(db)).map(({ name }) => name)
