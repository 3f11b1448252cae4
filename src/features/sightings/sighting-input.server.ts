import { findPlace } from '#features/places/find-place.server.ts'
import { findNearestPlace } from '#features/places/nearest-place.server.ts'
import { isOnLand } from '#features/places/on-land.server.ts'
import { textSchema } from '#features/moderation/text-schema.ts'
import { type FieldErrors, invalid } from '#lib/errors.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { AGO_OPTIONS, CLOCK_TOLERANCE_MINUTES, EARLY_HOURS, SIGHTING_TEXTS, SIGHTING_WORDS_LIMIT } from './sightings.ts'

/** What somebody saw, checked. */
export interface SightingInput {
  at: number
  point: GeoPoint | null
  zone: string
  words: string
}

/** The name of a point on land, abroad, that no town is near to. */
const UNNAMED_PLACE = 'Lejos de cualquier pueblo'
/** Farther away a town says nothing. */
const NEAR_KM = 100
const COORDINATE = /^-?\d{1,3}(?:\.\d{1,20})?$/
const wordsSchema = textSchema(SIGHTING_WORDS_LIMIT, { long: SIGHTING_TEXTS.words })

/**
 * Reads a form's fields: `lat` with `lon`, or else `zone`; `at` (ISO 8601 with a zone) or `ago` (minutes), by default now; `words`.
 * @throws AppError 422 with one sentence per field
 */
export function readSightingInput(form: FormData, now = Date.now()): SightingInput {
  const errors: FieldErrors = {}
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const read = <T>(field: string, parse: () => T | Refused): T | undefined => {
    const result = parse()
    if (!(result instanceof Refused)) return result
    errors[field] = result.sentence
    return undefined
  }
  const place = read('zone', () => readPlace(text('lat'), text('lon'), text('zone')))
  const at = read('at', () => readTime(text('at'), text('ago'), now))
  const words = read('words', () => {
    const result = wordsSchema.safeParse(text('words'))
    return result.success ? result.data : new Refused(SIGHTING_TEXTS.words)
  })
  const [first] = Object.values(errors)
  if (place === undefined || at === undefined || words === undefined) throw invalid(first!, errors)
  return { at, words, ...place }
}

/** Why a field is refused. */
class Refused {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}

type SightedPlace = Pick<SightingInput, 'point' | 'zone'>

function readPlace(lat: string, lon: string, zone: string): SightedPlace | Refused {
  if (lat !== '' || lon !== '') {
    if (!COORDINATE.test(lat) || !COORDINATE.test(lon)) return new Refused(SIGHTING_TEXTS.point)
    const point = { lat: Number(lat), lon: Number(lon) }
    if (Math.abs(point.lat) > 90 || Math.abs(point.lon) > 180) return new Refused(SIGHTING_TEXTS.point)
    if (!isOnLand(point)) return new Refused(SIGHTING_TEXTS.sea)
    return { point, zone: findNearestPlace(point, NEAR_KM)?.name ?? UNNAMED_PLACE }
  }
  if (zone === '') return new Refused(SIGHTING_TEXTS.place)
  const place = findPlace(zone)
  return place ? { point: null, zone: place.name } : new Refused(SIGHTING_TEXTS.zone)
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/

function readTime(at: string, ago: string, now: number): number | Refused {
  if (at === '') {
    if (ago === '') return now
    const option = AGO_OPTIONS.find(({ minutes }) => String(minutes) === ago)
    return option ? now - option.minutes * MINUTE_MS : new Refused(SIGHTING_TEXTS.time)
  }
  const time = ISO_TIME.test(at) ? Date.parse(at) : NaN
  if (Number.isNaN(time)) return new Refused(SIGHTING_TEXTS.time)
  if (time > now + CLOCK_TOLERANCE_MINUTES * MINUTE_MS) return new Refused(SIGHTING_TEXTS.future)
  return Math.min(time, now)
}

/** @param since when the owner missed the dog. @throws AppError 422 for a sighting long before */
export function assertNotEarly(at: number, since: number): void {
  if (at < since - EARLY_HOURS * HOUR_MS) throw invalid(SIGHTING_TEXTS.early, { at: SIGHTING_TEXTS.early })
}
