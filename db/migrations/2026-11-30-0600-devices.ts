import { type Kysely, sql } from 'kysely'

/** One table has the devices of an account. Of those that signed in before names were stored only the hash with the address is known. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`INSERT INTO account_devices (id, user_id, secret_hash, device, sign_in_device, created_at, used_at)
    SELECT id, user_id, id, '', id, used_at, used_at FROM sign_in_devices
    WHERE id NOT IN (SELECT sign_in_device FROM account_devices WHERE sign_in_device IS NOT NULL)`.execute(db)
  await db.schema.dropTable('sign_in_devices').execute()
  await db.schema.createIndex('account_devices_sign_in').on('account_devices').column('sign_in_device').execute()
}
