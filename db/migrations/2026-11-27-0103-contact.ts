import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Messages between owners and finders. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('contact_threads')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('lost_case_id', text, (c) => c.references('lost_cases.id').onDelete('cascade'))
    .addColumn('found_id', text)
    .addColumn('member_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('finder_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('secret_hash', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('latest_at', integer, (c) => c.notNull())
    .addColumn('member_seen_at', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('finder_seen_at', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('contact_threads_lost').on('contact_threads').columns(['lost_case_id', 'id']).execute()
  await db.schema.createIndex('contact_threads_found').on('contact_threads').columns(['found_id', 'id']).execute()
  await db.schema
    .createIndex('contact_threads_member')
    .on('contact_threads')
    .columns(['member_id', 'latest_at', 'id'])
    .execute()
  await db.schema
    .createIndex('contact_threads_finder')
    .on('contact_threads')
    .columns(['finder_id', 'latest_at', 'id'])
    .execute()
  await db.schema
    .createTable('contact_messages')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('thread_id', text, (c) => c.notNull().references('contact_threads.id').onDelete('cascade'))
    .addColumn('side', text, (c) => c.notNull())
    .addColumn('text', text, (c) => c.notNull())
    .addColumn('warning', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('contact_messages_thread')
    .on('contact_messages')
    .columns(['thread_id', 'created_at', 'id'])
    .execute()
}
