import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertMayGuess } from './guess-rules.ts'
import { type GameState, stateOf } from './riddle.ts'
import type { Riddle } from './riddles.server.ts'

/** What the member guessed of a day, in order. */
export async function readMemberGuesses(db: Db, userId: string, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom('riddle_guesses')
    .select('breed_slug')
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.breed_slug)
}

/**
 * Adds a guess to the member's game. @returns all guesses of the day
 * @throws AppError 409 where the game has ended, or for a breed that they guessed before
 */
export function addMemberGuess(
  db: Db,
  userId: string,
  { day, breed_slug: answer }: Riddle,
  slug: string,
  now = Date.now(),
): Promise<string[]> {
  return transact(db, async (trx) => {
    const guesses = await readMemberGuesses(trx, userId, day)
    assertMayGuess(guesses, answer, slug)
    await trx
      .insertInto('riddle_guesses')
      .values({ user_id: userId, day, position: guesses.length + 1, breed_slug: slug, created_at: now })
      .execute()
    return [...guesses, slug]
  })
}

/** How far the member is with each riddle that they began, by day. */
export async function readMemberGames(db: Db, userId: string): Promise<Map<string, GameState>> {
  const rows = await db
    .selectFrom('riddle_guesses as g')
    .innerJoin('riddles as r', 'r.day', 'g.day')
    .select(['g.day', 'g.breed_slug', 'r.breed_slug as answer'])
    .where('g.user_id', '=', userId)
    .orderBy('g.day')
    .orderBy('g.position')
    .execute()
  const games = new Map<string, { answer: string; guesses: string[] }>()
  for (const { day, breed_slug, answer } of rows) {
    const game = games.get(day) ?? { answer, guesses: [] }
    game.guesses.push(breed_slug)
    games.set(day, game)
  }
  return new Map([...games].map(([day, { guesses, answer }]) => [day, stateOf(guesses, answer)]))
}
