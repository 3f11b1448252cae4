import { type Kysely, sql } from 'kysely'
import { isSharedByNodes } from '../dialect/dialect.ts'

/** Nodes that share a PostgreSQL count in it what few limits take, under the site's key; likes taken back are rows of `secrets`. */
export async function up(db: Kysely<any>): Promise<void> {
  if (isSharedByNodes(db)) await sql`DROP TABLE node_secrets, node_notes`.execute(db)
}
