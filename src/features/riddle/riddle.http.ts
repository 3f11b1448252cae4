import type { APIContext } from 'astro'
import { type Catalogue, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { isSharpMissing } from '#features/photos/render/sharp.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { AppError, invalid, notFound } from '#lib/errors.ts'
import { riddlePaths } from './riddle-paths.ts'
import { DAY_SECONDS, MINUTE_SECONDS } from '#lib/time.ts'
import { endpoint, findRequester, readForm, readJson, validate } from '#server/endpoint.ts'
import { getEnv, isHttpsSite } from '#server/env.ts'
import { isForm, redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { gameAnswer } from './answers.ts'
import { toGame } from './game.server.ts'
import { guessInput } from './guess-input.ts'
import { addMemberGuess } from './member-guesses.server.ts'
import { findPicture } from './pictures.server.ts'
import { addVisitorGuess, memberGames, type PlayerGames, visitorGames } from './players.server.ts'
import { RIDDLE_COOKIE_DAYS, riddleCookieName } from './riddle-cookie.ts'
import { noticeOf, RIDDLE_TEXTS } from './riddle.ts'
import { findRiddle, type Riddle } from './riddles.server.ts'

/** Guesses of one network: a school class plays at once. */
const GUESSES_PER_MINUTE = 240

type Context = Pick<APIContext, 'cookies' | 'locals'>

const readCookie = ({ cookies }: Pick<APIContext, 'cookies'>): string | undefined =>
  cookies.get(riddleCookieName(isHttpsSite()))?.value

/** The player's games: the member's of the account, the visitor's of the device. */
export function readPlayerGames(context: Context, catalogue: Catalogue, day: string): Promise<PlayerGames> {
  const { db, user } = context.locals
  return user ? memberGames(db, user.id, day) : visitorGames(db, catalogue, readCookie(context), day)
}

/** Whether the page is one that all visitors see alike. */
export const isFreshVisitor = (context: Context): boolean => !context.locals.user && readCookie(context) === undefined

async function addGuess(
  context: APIContext,
  member: CurrentUser | null,
  riddle: Riddle,
  catalogue: Catalogue,
  slug: string,
) {
  const { db } = context.locals
  if (member) return addMemberGuess(db, member.id, riddle, slug)
  const { guesses, cookie } = await addVisitorGuess(db, catalogue, readCookie(context), riddle, slug)
  const secure = isHttpsSite()
  context.cookies.set(riddleCookieName(secure), cookie, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: RIDDLE_COOKIE_DAYS * DAY_SECONDS,
  })
  return guesses
}

/** The slug of the breed that a guess names. @throws AppError 422 where it names none */
async function resolveGuess({ locals }: APIContext, input: unknown): Promise<string> {
  const { breed } = validate(guessInput, input)
  const found = await lookUpBreed(locals.db, breed)
  if ('found' in found) return found.found
  if ('moved' in found) return found.moved
  throw invalid(RIDDLE_TEXTS.unknownBreed, { breed: RIDDLE_TEXTS.unknownBreed })
}

/** POST /api/reto/{day}/guesses `{breed}`: a guess of whoever sends it, also of a page's form. */
export const guessBreed = endpoint({ 200: gameAnswer, 303: null }, async (context) => {
  const { db, network } = context.locals
  const isPlain = isForm(context)
  const input: unknown = isPlain ? Object.fromEntries(await readForm(context)) : await readJson(context, guessInput)
  // Before the day's riddle, which may have to be drawn: a session that has ended adds no row.
  const member = findRequester(context)
  await limit('riddle-guess', network, GUESSES_PER_MINUTE, MINUTE_SECONDS)
  const riddle = await findRiddle(db, getEnv().dataDir, context.params.fecha)
  const catalogue = await getCatalogue(db)
  try {
    const guesses = await addGuess(context, member, riddle, catalogue, await resolveGuess(context, input))
    return isPlain ? redirect(`${riddlePaths.of(riddle.day)}#jugada`) : toGame(riddle, guesses, catalogue)
  } catch (error) {
    const notice = isPlain && error instanceof AppError ? noticeOf(error.message) : undefined
    if (!notice) throw error
    // The page says why.
    return redirect(`${riddlePaths.of(riddle.day, notice)}#jugada`)
  }
})

/** GET /reto/{day}/{token}.png: a picture of the riddle, for anyone with its address. */
export const servePicture = endpoint(async ({ locals, params }) => {
  const riddle = await findRiddle(locals.db, getEnv().dataDir, params.fecha)
  if (isSharpMissing()) return new Response(null, { status: 503 })
  const png = await findPicture(riddle, params.imagen ?? '')
  if (!png) throw notFound()
  return new Response(new Uint8Array(png), {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=31536000, immutable' },
  })
})
