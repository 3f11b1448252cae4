import * as z from 'zod/mini'
import { spendDailyBudgets } from '#features/photos/daily-budget.server.ts'
import { AppError } from '#lib/errors.ts'
import { countCharacters } from '#lib/text/text.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, json } from '#server/endpoint.ts'
import { incrementCounter } from '#server/counters.ts'
import { limitNetworkShare } from '#server/limits/network-share.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { suggestPlaces } from './suggest.server.ts'
import { geocode } from './geocode.server.ts'
import { PLACE_TEXTS, SEARCH_MAX_CHARS, SEARCH_MIN_CHARS } from './places.ts'
import { geocodeAnswer, placesAnswer } from './answers.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'

/** More than a person searches or types (docs/product.md §23.4: no limit below 120 geocodes a minute). */
export const SEARCHES_PER_MINUTE = 240
export const SUGGESTIONS_PER_MINUTE = 1200

/** UTF-16 code units before trimming: longer queries are refused unread. */
const MAX_QUERY_CODE_UNITS = 20 * SEARCH_MAX_CHARS

const text = z.pipe(
  z.string(PLACE_TEXTS.short).check(z.maxLength(MAX_QUERY_CODE_UNITS, PLACE_TEXTS.long)),
  z.transform((value: string) => value.normalize('NFC').trim().replace(/\s+/g, ' ')),
)
const isShort = (value: string) => countCharacters(value) < SEARCH_MIN_CHARS
const isLong = (value: string) => countCharacters(value) > SEARCH_MAX_CHARS
/** The query of `GET /api/geocode`. */
export const geocodeQuerySchema = z.object({
  q: z.pipe(
    text,
    z.string().check(
      z.refine((value) => !isShort(value), PLACE_TEXTS.short),
      z.refine((value) => !isLong(value), PLACE_TEXTS.long),
    ),
  ),
})
/** The query of `GET /api/places`. */
export const placesQuerySchema = z.object({
  q: z.pipe(text, z.string().check(z.refine((value) => !isLong(value), PLACE_TEXTS.long))),
})

const queryOf = (url: URL) => ({ q: url.searchParams.get('q') ?? undefined })

const BUDGET_NAME = 'geocodes'

/** Takes one request to Mapbox from the network's share and from the site's daily budget. @throws AppError 429 */
async function spendGeocode({ db, network }: App.Locals, budget: number): Promise<void> {
  if (budget === 0) return
  await limitNetworkShare('geocode-network', network, 1, budget, PLACE_TEXTS.tooMany)
  const spent = await spendDailyBudgets(db, [{ name: BUDGET_NAME, budget }], 1)
  if (!spent) return
  incrementCounter('refused', 'geocodes a day')
  throw new AppError(429, PLACE_TEXTS.tooMany, { retryAfter: spent.retryAfter })
}

/** `GET /api/geocode?q=`: a point and its name, or null. */
export const geocodePlace = endpoint({ 200: geocodeAnswer }, async ({ locals, url }) => {
  const { q } = validate(geocodeQuerySchema, queryOf(url))
  await limit('geocode', locals.network, SEARCHES_PER_MINUTE, MINUTE_SECONDS)
  const { mapbox, geocodesPerDay } = getEnv()
  return geocode(locals.db, q, mapbox, Date.now(), () => spendGeocode(locals, geocodesPerDay))
})

/** `GET /api/places?q=`: names of zones for the form. They change only with a new build. */
export const suggestPlaceNames = endpoint({ 200: placesAnswer }, async ({ locals, url }) => {
  const { q } = validate(placesQuerySchema, queryOf(url))
  await limit('place-suggest', locals.network, SUGGESTIONS_PER_MINUTE, MINUTE_SECONDS)
  const places = suggestPlaces(q).map(({ name, kind }) => ({ name, kind }))
  return json({ places }, { headers: { 'Cache-Control': 'public, max-age=86400' } })
})
