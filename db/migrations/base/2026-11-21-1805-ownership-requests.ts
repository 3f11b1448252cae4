import type { Kysely } from 'kysely'

/** «Es mi perro»: members who claim a dog without owner, at most once per dog and member. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('ownership_requests')
    .addColumn('dog_id', 'text', (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addColumn('declined_at', 'integer')
    .addPrimaryKeyConstraint('ownership_requests_pk', ['dog_id', 'user_id'])
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('ownership_requests').columns(columns).execute()
  await index('ownership_requests_open', ['dog_id', 'declined_at', 'created_at', 'user_id'])
  await index('ownership_requests_user', ['user_id'])
}
