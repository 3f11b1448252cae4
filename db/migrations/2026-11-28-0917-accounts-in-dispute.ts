import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

const COLUMNS = 'id user_id event session_id device_id device email token_hash created_at try_at sent_at'.split(' ')

/** When somebody last said that it was not they who used an account, and what its addresses are notified of besides sign-ins. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema.alterTable('users').addColumn('disputed_at', integer).execute()
  await db.schema
    .alterTable('sign_in_alerts')
    .addColumn('event', text, (c) => c.notNull().defaultTo('new-device'))
    .execute()
  // Links that undo a change of address are alerts from now on.
  const mailed = db
    .selectFrom('email_changes')
    .select((eb) => [
      'id',
      'user_id',
      eb.val('email-changed').as('event'),
      eb.val('').as('session_id'),
      eb.val('').as('device_id'),
      eb.val('').as('device'),
      'previous_email',
      'undo_hash',
      'confirmed_at as created_at',
      'confirmed_at as try_at',
      'confirmed_at as sent_at',
    ])
    .where('undo_hash', 'is not', null)
  await db.insertInto('sign_in_alerts').columns(COLUMNS).expression(mailed).execute()
}
