import { type Kysely, sql } from 'kysely'

/** From when on a line of grouped likes counts: what came before was read already. 0 counts all, as lines did until now. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE notifications ADD COLUMN likes_since INTEGER NOT NULL DEFAULT 0`.execute(db)
}
