import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/**
 * Passkeys with the challenges that are out, recovery codes, and changes of a mail address, which its member may undo. A session says
 * whether its member's last authentication was by passkey.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('passkeys')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', text, (c) => c.notNull().unique())
    .addColumn('public_key', text, (c) => c.notNull())
    .addColumn('counter', integer, (c) => c.notNull())
    .addColumn('user_handle', text, (c) => c.notNull())
    .addColumn('rp_id', text, (c) => c.notNull())
    .addColumn('transports', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('device', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('used_at', integer)
    .execute()
  await db.schema.createIndex('passkeys_user').on('passkeys').columns(['user_id', 'created_at']).execute()
  await db.schema
    .createTable('passkey_challenges')
    .addColumn('challenge', text, (c) => c.primaryKey().notNull())
    .addColumn('purpose', text, (c) => c.notNull())
    .addColumn('user_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('user_handle', text)
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('passkey_challenges_expiry').on('passkey_challenges').columns(['expires_at']).execute()
  await db.schema.createIndex('passkey_challenges_user').on('passkey_challenges').columns(['user_id']).execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('code_hash', text, (c) => c.primaryKey().notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('used_at', integer)
    .execute()
  await db.schema.createIndex('recovery_codes_user').on('recovery_codes').columns(['user_id']).execute()
  await db.schema
    .createTable('email_changes')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', text, (c) => c.notNull())
    .addColumn('previous_email', text)
    .addColumn('undo_hash', text, (c) => c.unique())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('confirmed_at', integer)
    .execute()
  await db.schema.createIndex('email_changes_user').on('email_changes').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('email_changes_previous').on('email_changes').columns(['previous_email']).execute()
  await db.schema.createIndex('email_changes_age').on('email_changes').columns(['created_at']).execute()
  await db.schema.alterTable('sessions').addColumn('proved_by', text).execute()
}
