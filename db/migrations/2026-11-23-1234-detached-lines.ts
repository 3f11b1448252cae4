import { type Kysely, sql } from 'kysely'

/**
 * Lines of bells about a dog that is being hidden: without `dog_id`, so that deleting the dog's row deletes none of them and a dog that
 * is not hidden after all has them back. They are deleted in batches once it is hidden; here is which dog's they were.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE detached_lines (
    notification_id TEXT PRIMARY KEY NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    dog_id TEXT NOT NULL) WITHOUT ROWID`.execute(db)
  await sql`CREATE INDEX detached_lines_dog ON detached_lines (dog_id)`.execute(db)
}
