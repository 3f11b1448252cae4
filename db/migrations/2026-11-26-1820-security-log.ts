import { type Kysely, sql } from 'kysely'
import { listAppendOnlyStatements } from '../dialect/append-only.ts'
import { columnTypes } from '../dialect/column-types.ts'

/** Two years: what `admin_log` refuses to delete before. */
const ADMIN_LOG_RETENTION_MS = 730 * 86_400_000

/**
 * Devices that each account was signed in with, what its member is told of new ones, the account's security log, and the log of what
 * admins did, which takes no changes. A mailed token says whether the operator issued it.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('account_devices')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('secret_hash', text, (c) => c.notNull())
    .addColumn('device', text, (c) => c.notNull())
    .addColumn('sign_in_device', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('used_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('account_devices_secret')
    .unique()
    .on('account_devices')
    .columns(['secret_hash', 'device'])
    .execute()
  await db.schema.createIndex('account_devices_user').on('account_devices').columns(['user_id', 'used_at']).execute()
  await db.schema.createIndex('account_devices_age').on('account_devices').columns(['used_at']).execute()
  await db.schema
    .createTable('sign_in_alerts')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('session_id', text, (c) => c.notNull())
    .addColumn('device_id', text, (c) => c.notNull())
    .addColumn('device', text, (c) => c.notNull())
    .addColumn('email', text)
    .addColumn('token_hash', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('try_at', integer, (c) => c.notNull())
    .addColumn('tries', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('sent_at', integer)
    .addColumn('used_at', integer)
    .execute()
  await db.schema.createIndex('sign_in_alerts_user').on('sign_in_alerts').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('sign_in_alerts_token').on('sign_in_alerts').columns(['token_hash']).execute()
  await db.schema.createIndex('sign_in_alerts_age').on('sign_in_alerts').columns(['created_at']).execute()
  await db.schema
    .createIndex('sign_in_alerts_pending')
    .on('sign_in_alerts')
    .columns(['try_at'])
    .where(sql.ref('sent_at'), 'is', null)
    .execute()
  await db.schema
    .createTable('security_log')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('event', text, (c) => c.notNull())
    .addColumn('detail', text)
    .addColumn('device', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('security_log_user').on('security_log').columns(['user_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('security_log_age').on('security_log').columns(['created_at']).execute()
  await db.schema
    .createTable('admin_log')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('admin_id', text)
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('target_kind', text, (c) => c.notNull())
    .addColumn('target_id', text)
    .addColumn('record_id', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('admin_log_newest').on('admin_log').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('admin_log_action').on('admin_log').columns(['action', 'created_at', 'id']).execute()
  for (const statement of listAppendOnlyStatements(db, 'admin_log', ADMIN_LOG_RETENTION_MS))
    await sql.raw(statement).execute(db)
  await db.schema.alterTable('sign_in_tokens').addColumn('issuer', text).execute()
}
