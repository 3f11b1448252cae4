import type { Db } from '#db/client.ts'
import type { Catalogue } from '#features/breeds/current-catalogue.server.ts'
import { isDay, MAX_GUESSES, riddleDay } from './riddle.ts'
import { isSameSeal, readRiddles, type Riddle, sealOf } from './riddles.server.ts'

// A visitor's games are in a cookie of their own: «{day}.{numbers of the guessed breeds}.{signature}», with «~» between games. Each is signed
// with its day's secret, so that all nodes read it and nobody makes a game up to learn its answer.

/** Games that the cookie keeps, the newest played last: under 800 bytes. */
export const MAX_GAMES = 20

const SIGNATURE_CHARACTERS = 16
const GAME = /^([0-9a-z]{3})\.([0-9a-z]{1,4}(?:-[0-9a-z]{1,4}){0,5})\.([\w-]{16})$/
const MAX_COOKIE_CHARACTERS = 2000
const DAY_MS = 86_400_000

/** The guessed breeds' slugs by day, in the order in which the games were last played. */
export type VisitorGames = ReadonlyMap<string, readonly string[]>

const toCode = (day: string) => (Date.parse(`${day}T00:00:00Z`) / DAY_MS).toString(36)
const toDay = (code: string) => riddleDay(Number.parseInt(code, 36) * DAY_MS + DAY_MS / 2)

const sign = (riddle: Riddle, numbers: string) => sealOf(riddle, `guesses ${numbers}`).slice(0, SIGNATURE_CHARACTERS)

/** The games of a cookie. What is not signed by this site, or names no breed, is left out. */
export async function readVisitorGames(
  db: Db,
  { breeds }: Catalogue,
  cookie: string | undefined,
): Promise<{ games: VisitorGames; riddles: ReadonlyMap<string, Riddle> }> {
  if (!cookie || cookie.length > MAX_COOKIE_CHARACTERS) return { games: new Map(), riddles: new Map() }
  const written = cookie
    .split('~', MAX_GAMES)
    .flatMap((text) => {
      const [, code = '', numbers = '', signature = ''] = GAME.exec(text) ?? []
      return code ? [{ day: toDay(code), numbers, signature }] : []
    })
    .filter(({ day }) => isDay(day))
  const riddles = await readRiddles(
    db,
    written.map(({ day }) => day),
  )
  const slugs = new Map(breeds.map(({ number, slug }) => [number.toString(36), slug]))
  const games = new Map<string, string[]>()
  for (const { day, numbers, signature } of written) {
    const riddle = riddles.get(day)
    if (!riddle || !isSameSeal(sign(riddle, numbers), signature)) continue
    const guesses = numbers.split('-').flatMap((number) => slugs.get(number) ?? [])
    if (guesses.length <= MAX_GUESSES) games.set(day, guesses)
  }
  return { games, riddles }
}

/** The cookie with these games; beyond MAX_GAMES those are left out that were played longest ago. */
export function writeVisitorGames(
  { bySlug }: Catalogue,
  games: VisitorGames,
  riddles: ReadonlyMap<string, Riddle>,
): string {
  return [...games]
    .slice(-MAX_GAMES)
    .flatMap(([day, guesses]) => {
      const riddle = riddles.get(day)
      const numbers = guesses.flatMap((slug) => bySlug.get(slug)?.number.toString(36) ?? []).join('-')
      return riddle && numbers ? [`${toCode(day)}.${numbers}.${sign(riddle, numbers)}`] : []
    })
    .join('~')
}
