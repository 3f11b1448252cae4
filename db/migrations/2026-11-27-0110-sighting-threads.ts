import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Conversations about sightings of devices without account, and messages that are sent twice. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text } = columnTypes(db)
  await db.schema.alterTable('sightings').addColumn('secret_hash', text).execute()
  await db.schema.alterTable('contact_messages').addColumn('request_key', text).execute()
  await db.schema
    .createIndex('contact_messages_request')
    .on('contact_messages')
    .column('request_key')
    .unique()
    .execute()
  await db.schema
    .createIndex('contact_threads_secret')
    .on('contact_threads')
    .columns(['secret_hash', 'latest_at', 'id'])
    .execute()
}
