import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** When a mail about a lost dog is tried next: one that the mail server refused for now lets the others pass. */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  await db.schema
    .alterTable('lost_alert_mails')
    .addColumn('due_at', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`UPDATE lost_alert_mails SET due_at = queued_at`.execute(db)
  await db.schema
    .createIndex('lost_alert_mails_due')
    .on('lost_alert_mails')
    .columns(['due_at', 'case_id', 'user_id'])
    .execute()
}
