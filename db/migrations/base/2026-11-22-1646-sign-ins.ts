import { type Kysely, sql } from 'kysely'

/** Whether each character equals its NFKC form: such an address may be composed without becoming another one. */
const isPlain = (text: string) => [...text].every((sign) => sign.normalize('NFKC') === sign)

/**
 * Limits of mails and code attempts are counted by mailbox, separately for devices that signed in to it before. A session has the time of
 * its last authentication. Addresses are stored composed (NFC).
 */
export async function up(db: Kysely<any>): Promise<void> {
  const tokens = () => db.schema.alterTable('sign_in_tokens')
  await tokens().addColumn('mailbox', 'text').execute()
  await tokens().addColumn('device', 'text').execute()
  await tokens()
    .addColumn('purpose', 'text', (c) => c.notNull().defaultTo('enter'))
    .execute()
  await tokens()
    .addColumn('device_tries', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`UPDATE sign_in_tokens SET mailbox = email`.execute(db)
  await db.schema
    .createIndex('sign_in_tokens_mailbox')
    .on('sign_in_tokens')
    .columns(['mailbox', 'created_at'])
    .execute()
  await db.schema
    .createTable('sign_in_devices')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('used_at', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sign_in_devices_user').on('sign_in_devices').columns(['user_id', 'used_at']).execute()
  await db.schema.createIndex('sign_in_devices_age').on('sign_in_devices').columns(['used_at']).execute()
  await db.schema
    .alterTable('sessions')
    .addColumn('proved_at', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await composeAddresses(db)
}

/** Composes decomposed addresses (n and its tilde), as other keyboards send them, unless the composed one is taken. */
async function composeAddresses(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ id: string; email: string }>`
    SELECT id, email FROM users WHERE email GLOB '*[^ -~]*'`.execute(db)
  for (const { id, email } of rows) {
    const composed = email.normalize('NFC')
    if (composed === email || !isPlain(email)) continue
    await sql`UPDATE users SET email = ${composed} WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM users WHERE email = ${composed})`.execute(db)
  }
}
