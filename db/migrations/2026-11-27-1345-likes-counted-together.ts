import { type Kysely, sql } from 'kysely'
import { listLikeCountStatements } from '../dialect/like-counts.ts'

/** Has PostgreSQL count the likes that one statement adds or deletes together. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of listLikeCountStatements(db)) await sql.raw(statement).execute(db)
}
