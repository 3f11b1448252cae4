import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Who is mailed about a conversation: members at their account's address, finders without account at one that they confirm. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('contact_mails')
    .addColumn('thread_id', text, (c) => c.notNull().references('contact_threads.id').onDelete('cascade'))
    .addColumn('side', text, (c) => c.notNull())
    .addColumn('email', text)
    .addColumn('confirm_hash', text, (c) => c.unique())
    .addColumn('confirm_until', integer)
    .addColumn('confirmed_at', integer)
    .addColumn('token', text, (c) => c.notNull().unique())
    .addColumn('due_at', integer)
    .addColumn('mailed_at', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('contact_mails_primary', ['thread_id', 'side'])
    .execute()
  await db.schema.createIndex('contact_mails_due').on('contact_mails').column('due_at').execute()
  await db.schema.createIndex('contact_mails_until').on('contact_mails').column('confirm_until').execute()
}
