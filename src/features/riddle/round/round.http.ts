import type { APIContext } from 'astro'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'
import { endpoint, readForm, readJson, validate } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { isForm, redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { roundAnswer } from './answers.ts'
import { answerInput, levelInput } from './round-input.ts'
import { roundPaths } from './round-paths.ts'
import { createSeed, readRound, writeRound } from './round-token.server.ts'
import { findSticker, toRoundView } from './round-view.server.ts'
import { isRoundOver, ROUND_TEXTS, type Round, type RoundView } from './round.ts'

// Nothing is stored: a round is its token. Going back allows another answer: nothing is won.

/** Of one network: a school class plays at once. */
const ANSWERS_PER_MINUTE = 480

async function respond(context: APIContext, round: Round) {
  const { dataDir } = getEnv()
  if (isForm(context)) return redirect(roundPaths.of(writeRound(dataDir, round)))
  return toRoundView(dataDir, round, await getCatalogue(context.locals.db))
}

/** POST /api/reto/ronda `{level}`: begins a round, also by a page's form. */
export const beginRound = endpoint({ 200: roundAnswer, 303: null }, async (context) => {
  await limit('riddle-round', context.locals.network, ANSWERS_PER_MINUTE, MINUTE_SECONDS)
  const input: unknown = isForm(context)
    ? Object.fromEntries(await readForm(context))
    : await readJson(context, levelInput)
  if (isForm(context) && !levelInput.safeParse(input).success) return redirect(roundPaths.start)
  const { level } = validate(levelInput, input)
  return respond(context, { level, seed: createSeed(), answers: [] })
})

/** POST /api/reto/ronda/{token} `{answer}`: answers the round's next question; the token of the answer includes it. */
export const answerRound = endpoint({ 200: roundAnswer, 303: null }, async (context) => {
  await limit('riddle-round', context.locals.network, ANSWERS_PER_MINUTE, MINUTE_SECONDS)
  const token = context.params.ronda ?? ''
  const input: unknown = isForm(context)
    ? Object.fromEntries(await readForm(context))
    : await readJson(context, answerInput)
  try {
    const round = readRound(getEnv().dataDir, token)
    if (!round) throw notFound(ROUND_TEXTS.unknownRound)
    if (isRoundOver(round)) throw new AppError(409, ROUND_TEXTS.finished)
    const { answer } = validate(answerInput, input)
    return await respond(context, { ...round, answers: [...round.answers, Number(answer)] })
  } catch (error) {
    if (!isForm(context) || !(error instanceof AppError)) throw error
    // The page says why.
    return redirect(roundPaths.of(encodeURIComponent(token), error.status === 422 ? 'respuesta' : undefined))
  }
})

/** GET /reto/ronda/{token}/{name}.svg: a sticker of a question. */
export const serveSticker = endpoint(({ params }) => {
  const { dataDir } = getEnv()
  const round = readRound(dataDir, params.ronda)
  const svg = round && findSticker(dataDir, round, params.imagen ?? '')
  if (!svg) throw notFound()
  return new Response(svg, {
    headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=31536000, immutable' },
  })
})

/** The round of an address; null for what is none. */
export async function loadRound(context: Pick<APIContext, 'locals' | 'params'>): Promise<RoundView | null> {
  const { dataDir } = getEnv()
  const round = readRound(dataDir, context.params.ronda)
  return round && toRoundView(dataDir, round, await getCatalogue(context.locals.db))
}
