import { type Kysely, sql } from 'kysely'

/**
 * The features that write a name write its words for the search, too (src/lib/text/search-key.ts): the triggers that folded letters in
 * recursive SQL go, with their table of letters. Their words are the same. The triggers that delete words with their row stay.
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const trigger of ['dogs_worded', 'dogs_reworded', 'profiles_worded', 'profiles_reworded'])
    await sql`DROP TRIGGER ${sql.ref(trigger)}`.execute(db)
  await db.schema.dropTable('search_letters').execute()
}
