import type { Kysely } from 'kysely'

/** The admin's edits of breeds, applied to the file of the build, with their history. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('breed_overrides')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('breed_slug', 'text', (c) => c.notNull())
    .addColumn('changes', 'text', (c) => c.notNull())
    .addColumn('before', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addColumn('undone_at', 'integer')
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('breed_overrides').columns(columns).execute()
  await index('breed_overrides_breed', ['breed_slug', 'created_at', 'id'])
  await index('breed_overrides_user', ['user_id'])
}
