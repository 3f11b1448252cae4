import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Sightings of lost dogs, their photos, and whose sightings were refused lately. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer, real } = columnTypes(db)
  await db.schema
    .createTable('sightings')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('case_id', text, (c) => c.notNull().references('lost_cases.id').onDelete('cascade'))
    .addColumn('member_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('network', text)
    .addColumn('request_key', text, (c) => c.unique())
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('lat', real)
    .addColumn('lon', real)
    .addColumn('zone', text, (c) => c.notNull())
    .addColumn('words', text, (c) => c.notNull())
    .addColumn('warning', text)
    .addColumn('state', text, (c) => c.notNull())
    .addColumn('is_reported', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sightings_case').on('sightings').columns(['case_id', 'at', 'id']).execute()
  await db.schema.createIndex('sightings_member').on('sightings').columns(['member_id', 'created_at']).execute()
  await db.schema.createIndex('sightings_created').on('sightings').column('created_at').execute()
  await db.schema
    .createTable('sighting_photos')
    .addColumn('sighting_id', text, (c) => c.primaryKey().notNull().references('sightings.id').onDelete('cascade'))
    .addColumn('data', text, (c) => c.notNull())
    .addColumn('width', integer, (c) => c.notNull())
    .addColumn('height', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('sighting_refusals')
    .addColumn('sighting_id', text, (c) => c.primaryKey().notNull())
    .addColumn('owner_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('network', text)
    .addColumn('member_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('refused_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sighting_refusals_network').on('sighting_refusals').column('network').execute()
  await db.schema.createIndex('sighting_refusals_member').on('sighting_refusals').column('member_id').execute()
  await db.schema.createIndex('sighting_refusals_owner').on('sighting_refusals').column('owner_id').execute()
  await db.schema
    .createTable('sighting_keys')
    .addColumn('day', integer, (c) => c.primaryKey().notNull())
    .addColumn('key', text, (c) => c.notNull())
    .execute()
}
