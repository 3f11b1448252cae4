import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Reports of found notices and of answers to them, and notices that wait for the admin. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema.alterTable('found_notices').addColumn('network', text).execute()
  await db.schema
    .alterTable('found_notices')
    .addColumn('state', text, (c) => c.notNull().defaultTo('open'))
    .execute()
  await db.schema.createIndex('found_notices_state').on('found_notices').columns(['state', 'created_at']).execute()
  await db.schema
    .createTable('found_reports')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('notice_id', text, (c) => c.notNull().references('found_notices.id').onDelete('cascade'))
    .addColumn('claim_id', text, (c) => c.references('found_claims.id').onDelete('cascade'))
    .addColumn('reporter_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('reason', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('found_reports_notice')
    .on('found_reports')
    .columns(['notice_id', 'reporter_id'])
    .execute()
  await db.schema.createIndex('found_reports_claim').on('found_reports').column('claim_id').execute()
  await db.schema.createIndex('found_reports_reporter').on('found_reports').column('reporter_id').execute()
  await db.schema.createIndex('sightings_state').on('sightings').columns(['state', 'created_at']).execute()
}
