import * as z from 'zod/mini'
import { countCharacters } from '#lib/text.ts'
import { getEnv } from '#server/env.ts'
import { check, endpoint, json } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { suggestPlaces } from './suggest.server.ts'
import { geocode } from './geocode.server.ts'
import { PLACE_TEXTS, SEARCH_MAX, SEARCH_MIN } from './places.ts'

/** More than anybody searches or types (docs/product.md §23.4: no limit below 120 geocodes a minute). */
export const SEARCHES = 240
export const SUGGESTIONS = 1200
const MINUTE = 60

/** Code units, with what is trimmed: what is longer is refused unread. */
const LENGTH_MAX = 20 * SEARCH_MAX

const text = z.pipe(
  z.string(PLACE_TEXTS.short).check(z.maxLength(LENGTH_MAX, PLACE_TEXTS.long)),
  z.transform((value: string) => value.normalize('NFC').trim().replace(/\s+/g, ' ')),
)
const isShort = (value: string) => countCharacters(value) < SEARCH_MIN
const isLong = (value: string) => countCharacters(value) > SEARCH_MAX
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

const asked = (url: URL) => ({ q: url.searchParams.get('q') ?? undefined })

/** `GET /api/geocode?q=`: a point and its name, or null. */
export const search = endpoint(async ({ locals, url }) => {
  const { q } = check(geocodeQuerySchema, asked(url))
  await limit('geocode', locals.ip, SEARCHES, MINUTE)
  return json(await geocode(locals.db, q, getEnv().mapbox))
})

/** `GET /api/places?q=`: what a zone may be called, for the form. It changes only with a new build. */
export const suggest = endpoint(async ({ locals, url }) => {
  const { q } = check(placesQuerySchema, asked(url))
  await limit('places', locals.ip, SUGGESTIONS, MINUTE)
  return json({ places: suggestPlaces(q).map(({ name, kind }) => ({ name, kind })) }, 200, {
    'Cache-Control': 'public, max-age=86400',
  })
})
