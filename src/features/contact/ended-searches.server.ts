import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { dogInSentence } from '#lib/text/names.ts'

/** A search that has ended, and took the finder's conversation with it. */
export interface EndedSearch {
  dog: string
  /** The owner thanked those who helped, which only «¡En casa!» offers. */
  isHome: boolean
}

/** The case of a dog that is in the lists, as others see it (`selectPublicCases`). */
const isLost = sql<boolean>`EXISTS (SELECT 1 FROM lost_cases AS c WHERE c.dog_id = d.id AND c.owner_id = d.owner_id)`

/**
 * The search that a device without account helped in last, if it has ended. Anybody can write a dog's id into the cookie, and what its secret
 * is compared with goes with the case: so this says no more than the dog's page and the list of lost dogs, which do not tell a dog that was
 * found from one that never was lost, unless its owner gave thanks.
 * @param secrets of the device, oldest first: those of sightings are by the dog's id
 */
export async function findEndedSearch(db: Db, secrets: ReadonlyMap<string, string>): Promise<EndedSearch | null> {
  if (secrets.size === 0) return null
  const ids = [...secrets.keys()]
  const rows = await db
    .selectFrom('dogs as d')
    .leftJoin('lost_history as h', (join) => join.onRef('h.dog_id', '=', 'd.id').on('h.ended_at', 'is not', null))
    .select(['d.id', 'd.name', 'h.thanked_at'])
    .where('d.id', 'in', ids)
    .where(({ not }) => not(isLost))
    .execute()
  const latest = rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).at(-1)
  return latest ? { dog: dogInSentence(latest.name), isHome: latest.thanked_at !== null } : null
}
