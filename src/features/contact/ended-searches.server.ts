import type { Db } from '#db/client.ts'
import { dogInSentence } from '#lib/text/names.ts'

/** A search that has ended, and took the finder's conversation with it. */
export interface EndedSearch {
  dog: string
  /** The owner thanked those who helped, which only «¡En casa!» offers. */
  isHome: boolean
}

/**
 * The last search that a device without account helped in and that has ended, for as long as its history is there.
 * @param secrets of the device: those of sightings are by the dog's id
 */
export async function findEndedSearch(db: Db, secrets: ReadonlyMap<string, string>): Promise<EndedSearch | null> {
  if (secrets.size === 0) return null
  const row = await db
    .selectFrom('lost_history as h')
    .innerJoin('dogs as d', 'd.id', 'h.dog_id')
    .select(['d.name', 'h.thanked_at'])
    .where('h.dog_id', 'in', [...secrets.keys()])
    .where('h.ended_at', 'is not', null)
    .orderBy('h.ended_at', 'desc')
    .executeTakeFirst()
  return row ? { dog: dogInSentence(row.name), isHome: row.thanked_at !== null } : null
}
