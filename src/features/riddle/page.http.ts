import type { APIContext } from 'astro'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { AppError } from '#lib/errors.ts'
import { cachePage } from '#server/cache-page.ts'
import { getEnv } from '#server/env.ts'
import { toGame } from './game.server.ts'
import { isFreshVisitor, readPlayerGames } from './riddle.http.ts'
import {
  addDays,
  FIRST_DAY,
  type Game,
  type GameState,
  noticeText,
  riddleDay,
  type RiddleStatistics,
  statisticsOf,
} from './riddle.ts'
import { findRiddle } from './riddles.server.ts'

/** Earlier riddles that a page links. */
const EARLIER_DAYS = 7

export interface RiddlePageData {
  game: Game
  isToday: boolean
  isMember: boolean
  statistics: RiddleStatistics
  /** The riddles before today's, the newest first, with how far the player is. */
  earlier: { day: string; state: GameState | undefined }[]
  /** Every breed's name, for the field. */
  names: string[]
  /** Why the last guess was refused. */
  notice: string | null
}

type PageContext = Pick<APIContext, 'cookies' | 'locals' | 'url'> & { response: { headers: Headers } } & {
  response: { headers: Headers }
}

/**
 * What the page of a riddle shows, and how long it may be cached: a visitor's without guesses until midnight, any other not at all.
 * @param asked the day of the address; undefined: today
 * @returns the sentence that says why there is no such riddle
 */
export async function loadRiddlePage(
  context: PageContext,
  asked: string | undefined,
): Promise<RiddlePageData | string> {
  const { db, user } = context.locals
  const now = Date.now()
  const today = riddleDay(now)
  try {
    const riddle = await findRiddle(db, getEnv().dataDir, asked ?? today, now)
    const catalogue = await getCatalogue(db)
    const { guesses, states } = await readPlayerGames(context, catalogue, riddle.day)
    const days = Array.from({ length: EARLIER_DAYS }, (_, i) => addDays(today, -1 - i)).filter(
      (day) => day >= FIRST_DAY,
    )
    if (isFreshVisitor(context)) cachePage(context)
    else context.response.headers.set('Cache-Control', 'private, no-cache')
    return {
      game: toGame(riddle, guesses, catalogue),
      isToday: riddle.day === today,
      isMember: user !== null,
      statistics: statisticsOf(states),
      earlier: days.map((day) => ({ day, state: states.get(day) })),
      names: breedNames.map(({ name }) => name),
      notice: noticeText(context.url.searchParams.get('aviso')),
    }
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return error.message
    throw error
  }
}
