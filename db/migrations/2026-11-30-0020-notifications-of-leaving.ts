import { type Kysely, sql } from 'kysely'

const notOf = (table: string) =>
  `NOT EXISTS (SELECT 1 FROM ${table} AS l WHERE l.user_id = coalesce(notifications_all.named_id, notifications_all.actor_id))`

/** What a member did is out of others' bells while their account waits for its deletion, and comes back with it. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`DROP VIEW notifications`.execute(db)
  await sql
    .raw(
      `CREATE VIEW notifications AS SELECT * FROM notifications_all
      WHERE (dog_id IS NULL OR EXISTS (SELECT 1 FROM dogs_all AS d WHERE d.id = notifications_all.dog_id AND d.hidden = 0))
        AND ${notOf('account_deletions')} AND ${notOf('account_erasures')}`,
    )
    .execute(db)
}
