import { type Kysely, sql } from 'kysely'
import { listCountLockStatements } from '../dialect/count-lock.ts'

/** Has transactions that change counts pass their last moment one after another. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of listCountLockStatements(db)) await sql.raw(statement).execute(db)
}
