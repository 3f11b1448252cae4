import type { Db } from '#db/client.ts'
import type { Catalogue } from '#features/breeds/current-catalogue.server.ts'
import { assertMayGuess } from './guess-rules.ts'
import { readMemberGames, readMemberGuesses } from './member-guesses.server.ts'
import { type GameState, stateOf } from './riddle.ts'
import type { Riddle } from './riddles.server.ts'
import { readVisitorGames, writeVisitorGames } from './visitor-games.server.ts'

/** A player's guesses of one riddle, and how far they are with all. */
export interface PlayerGames {
  guesses: readonly string[]
  states: ReadonlyMap<string, GameState>
}

/** The games of a member, from the account. */
export async function memberGames(db: Db, userId: string, day: string): Promise<PlayerGames> {
  return { guesses: await readMemberGuesses(db, userId, day), states: await readMemberGames(db, userId) }
}

/** The games of a visitor, from the cookie of their device. */
export async function visitorGames(
  db: Db,
  catalogue: Catalogue,
  cookie: string | undefined,
  day: string,
): Promise<PlayerGames> {
  const { games, riddles } = await readVisitorGames(db, catalogue, cookie)
  const states = new Map(
    [...games].map(([key, guesses]) => [key, stateOf(guesses, riddles.get(key)?.breed_slug ?? '')]),
  )
  return { guesses: games.get(day) ?? [], states }
}

/**
 * Adds a guess to a visitor's game. @returns all guesses of the day, and the new cookie
 * @throws AppError 409 where the game has ended, or for a breed that they guessed before
 */
export async function addVisitorGuess(
  db: Db,
  catalogue: Catalogue,
  cookie: string | undefined,
  riddle: Riddle,
  slug: string,
): Promise<{ guesses: string[]; cookie: string }> {
  const { games, riddles } = await readVisitorGames(db, catalogue, cookie)
  const earlier = games.get(riddle.day) ?? []
  assertMayGuess(earlier, riddle.breed_slug, slug)
  const guesses = [...earlier, slug]
  const others = new Map(games)
  // Last: the game that was just played is the last to be left out.
  others.delete(riddle.day)
  const all = new Map(riddles).set(riddle.day, riddle)
  return { guesses, cookie: writeVisitorGames(catalogue, others.set(riddle.day, guesses), all) }
}
