import { type Kysely, sql } from 'kysely'

/**
 * Indexes for the list, which sorts weights as whole kilograms. The indexes of the weight itself stay for the greatest and the smallest.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const filters = { '': [], breed_: ['breed_slug'], size_: ['size'], breed_size_: ['breed_slug', 'size'] }
  for (const [prefix, columns] of Object.entries(filters)) {
    const parts = [...columns.map((name) => sql.ref(name)), sql`cast("weight" as integer)`, sql.ref('id')]
    await sql`create index ${sql.ref(`dogs_${prefix}kilograms`)} on "dogs" (${sql.join(parts)})`.execute(db)
  }
}
