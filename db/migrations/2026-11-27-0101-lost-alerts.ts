import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { listLostTriggers } from '../dialect/lost-triggers.ts'

/**
 * Who wants to be alerted of lost dogs near a zone; the cases of which they are still to be alerted; their mails; and the ended cases whose
 * alerts are still to be deleted.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer, real } = columnTypes(db)
  await db.schema
    .createTable('lost_alert_settings')
    .addColumn('user_id', text, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('zone', text, (c) => c.notNull())
    .addColumn('lat', real, (c) => c.notNull())
    .addColumn('lon', real, (c) => c.notNull())
    .addColumn('radius_km', integer, (c) => c.notNull())
    .addColumn('cell', text, (c) => c.notNull())
    .addColumn('breaks_quiet', integer, (c) => c.notNull())
    .addColumn('by_mail', integer, (c) => c.notNull())
    .addColumn('by_push', integer, (c) => c.notNull())
    .addColumn('mail_token', text, (c) => c.notNull().unique())
    .addColumn('alerted_day', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('alerted_count', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('lost_alert_settings_cell')
    .on('lost_alert_settings')
    .columns(['cell', 'user_id'])
    .execute()
  await db.schema
    .createTable('lost_alert_queue')
    .addColumn('case_id', text, (c) => c.primaryKey().notNull().references('lost_cases.id').onDelete('cascade'))
    .addColumn('after_cell', text, (c) => c.notNull().defaultTo(''))
    .addColumn('after_user', text, (c) => c.notNull().defaultTo(''))
    .addColumn('queued_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('lost_alert_mails')
    .addColumn('case_id', text, (c) => c.notNull().references('lost_cases.id').onDelete('cascade'))
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('queued_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('lost_alert_mails_primary', ['case_id', 'user_id'])
    .execute()
  await db.schema
    .createIndex('lost_alert_mails_queued')
    .on('lost_alert_mails')
    .columns(['queued_at', 'case_id', 'user_id'])
    .execute()
  await db.schema.createIndex('lost_alert_mails_user').on('lost_alert_mails').column('user_id').execute()
  await db.schema
    .createTable('lost_alert_ends')
    .addColumn('case_id', text, (c) => c.primaryKey().notNull())
    .execute()
  await db.schema
    .alterTable('push_queue')
    .addColumn('breaks_quiet', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('push_queue').addColumn('image', text).execute()
  for (const statement of listLostTriggers(db)) await sql.raw(statement).execute(db)
}
