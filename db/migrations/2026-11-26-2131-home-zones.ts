import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'
import { ALL_PROVINCES, listProvinceTriggers } from '../dialect/province-triggers.ts'

/**
 * The zones that members call home, with whom to tell of missing breeds; the dogs that are still to be announced to them; and how many
 * dogs of each breed a province has, which triggers count.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer, real } = columnTypes(db)
  await db.schema
    .createTable('home_zones')
    .addColumn('user_id', text, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('zone', text, (c) => c.notNull())
    .addColumn('province', text, (c) => c.notNull())
    .addColumn('lat', real, (c) => c.notNull())
    .addColumn('lon', real, (c) => c.notNull())
    .addColumn('alert_km', integer)
    .addColumn('alert_cell', text)
    .addColumn('alerted_day', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('in_digest', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('home_zones_alerts')
    .on('home_zones')
    .columns(['alert_cell', 'user_id'])
    .where(sql.ref('alert_cell'), 'is not', null)
    .execute()
  await db.schema
    .createTable('dog_arrivals')
    .addColumn('dog_id', text, (c) => c.primaryKey().notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('queued_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('province_breeds')
    .addColumn('province', text, (c) => c.notNull())
    .addColumn('breed_slug', text, (c) => c.notNull())
    .addColumn('dogs', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('province_breeds_primary', ['province', 'breed_slug'])
    .execute()
  await sql`INSERT INTO province_breeds (province, breed_slug, dogs)
    SELECT province, breed_slug, count(*) FROM dogs WHERE coalesce(province, '') <> '' GROUP BY 1, 2
    UNION ALL
    SELECT ${sql.lit(ALL_PROVINCES)}, breed_slug, count(*) FROM dogs WHERE coalesce(province, '') <> '' GROUP BY 2`.execute(
    db,
  )
  for (const statement of listProvinceTriggers(db)) await sql.raw(statement).execute(db)
}
