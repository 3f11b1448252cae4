import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { Catalogue } from '#features/breeds/current-catalogue.server.ts'
import { readVisitorGames } from './visitor-games.server.ts'

/**
 * Stores the games of a visitor's cookie with the account that they signed in to. A day on which the member has guessed already stays as it is:
 * two games of one day cannot be joined, and the member's own is the one that counts.
 * @returns the number of games that were taken over
 */
export async function takeOverGames(
  db: Db,
  catalogue: Catalogue,
  cookie: string | undefined,
  userId: string,
  now = Date.now(),
): Promise<number> {
  const { games } = await readVisitorGames(db, catalogue, cookie)
  if (games.size === 0) return 0
  return transact(db, async (trx) => {
    const rows = await trx
      .selectFrom('riddle_guesses')
      .select('day')
      .distinct()
      .where('user_id', '=', userId)
      .where('day', 'in', [...games.keys()])
      .execute()
    const own = new Set(rows.map(({ day }) => day))
    const taken = [...games].filter(([day]) => !own.has(day))
    const guesses = taken.flatMap(([day, slugs]) =>
      slugs.map((breed_slug, i) => ({ user_id: userId, day, position: i + 1, breed_slug, created_at: now })),
    )
    if (guesses.length > 0) await trx.insertInto('riddle_guesses').values(guesses).execute()
    return taken.length
  })
}
