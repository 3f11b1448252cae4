import type { Trx } from '#db/client.ts'
import { listNameWords } from '#lib/text/search-key.ts'

/** Writes a dog’s name to the search index, in the transaction that writes the name. A trigger deletes it with its row. */
export async function writeDogWords(trx: Trx, id: string, name: string): Promise<void> {
  await trx.deleteFrom('dog_words').where('id', '=', id).execute()
  const rows = listNameWords(name).map((word) => ({ ...word, id }))
  if (rows.length > 0) await trx.insertInto('dog_words').values(rows).execute()
}
