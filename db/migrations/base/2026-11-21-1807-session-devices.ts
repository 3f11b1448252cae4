import { type Kysely, sql } from 'kysely'

/**
 * A member's open sessions: browser and device, and a public id, which is neither the token nor its hash, by which one is ended. Sessions
 * that are open already get an id.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('device', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('public_id', 'text').execute()
  const hex = (bytes: number) => sql`lower(hex(randomblob(${sql.lit(bytes)})))`
  await sql`UPDATE sessions SET public_id =
    ${hex(4)} || '-' || ${hex(2)} || '-' || ${hex(2)} || '-' || ${hex(2)} || '-' || ${hex(6)}`.execute(db)
  await db.schema.createIndex('sessions_public_id').on('sessions').columns(['public_id']).unique().execute()
}
