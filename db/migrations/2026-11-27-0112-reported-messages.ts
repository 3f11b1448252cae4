import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Copies of reported messages, which outlive their conversation. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('reported_messages')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('message_id', text, (c) => c.notNull().unique())
    .addColumn('side', text, (c) => c.notNull())
    .addColumn('text', text, (c) => c.notNull())
    .addColumn('writer_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('reporter_id', text, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('written_at', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('reported_messages_created')
    .on('reported_messages')
    .columns(['created_at', 'id'])
    .execute()
  await db.schema.createIndex('reported_messages_writer').on('reported_messages').column('writer_id').execute()
  await db.schema.createIndex('reported_messages_reporter').on('reported_messages').column('reporter_id').execute()
}
