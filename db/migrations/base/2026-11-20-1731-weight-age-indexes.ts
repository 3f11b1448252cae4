import type { Kysely } from 'kysely'

/**
 * The indexes for sorting by weight and age were partial (only dogs with a value). For a later page of a list filtered by breed and size,
 * SQLite then chose the index of the size and read every dog of other breeds. With complete indexes it chooses the right one; the
 * dogs without a value are at one end of them and are never read.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const figures = { weight: 'weight', age: 'age_months' }
  const filters = { '': [], breed_: ['breed_slug'], size_: ['size'], breed_size_: ['breed_slug', 'size'] }
  for (const [name, column] of Object.entries(figures))
    for (const [prefix, columns] of Object.entries(filters)) {
      const index = `dogs_${prefix}${name}`
      await db.schema.dropIndex(index).execute()
      await db.schema
        .createIndex(index)
        .on('dogs')
        .columns([...columns, column, 'id'])
        .execute()
    }
}
