import {
  FormFields,
  NAMING_MAX_KM,
  parsePoint,
  parseTime,
  UNNAMED_PLACE,
} from '#features/lost/encounter-input.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { findNearestPlace } from '#features/places/nearest-place.server.ts'
import { isOnLand } from '#features/places/on-land.server.ts'
import { invalid } from '#lib/errors.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { HOUR_MS } from '#lib/time.ts'
import { AGO_OPTIONS, EARLY_HOURS, SIGHTING_TEXTS, SIGHTING_WORDS_LIMIT } from './sightings.ts'

/** What somebody saw, checked. */
export interface SightingInput {
  /** Milliseconds. */
  at: number
  /** Null where a place was named. */
  point: GeoPoint | null
  zone: string
  words: string
}

/**
 * Reads a form's fields: `lat` with `lon`, or else `zone`; `at` (ISO 8601 with a zone) or `ago` (minutes), by default now; `words`.
 * @throws AppError 422 with one sentence per field
 */
export function readSightingInput(form: FormData, now = Date.now()): SightingInput {
  const fields = new FormFields(form)
  const place = fields.read('zone', () => readPlace(fields.text('lat'), fields.text('lon'), fields.text('zone')))
  const timeOptions = { now, agoOptions: AGO_OPTIONS, texts: SIGHTING_TEXTS }
  const at = fields.read('at', () => parseTime(fields.text('at'), fields.text('ago'), timeOptions))
  const words = fields.readText('words', SIGHTING_WORDS_LIMIT, SIGHTING_TEXTS.words)
  if (place === undefined || at === undefined || words === undefined) throw fields.toError()
  return { at, words, ...place }
}

type SightedPlace = Pick<SightingInput, 'point' | 'zone'>

function readPlace(lat: string, lon: string, zone: string): SightedPlace {
  if (lat !== '' || lon !== '') {
    const point = parsePoint(lat, lon, SIGHTING_TEXTS.point)
    if (!isOnLand(point)) throw invalid(SIGHTING_TEXTS.sea)
    return { point, zone: findNearestPlace(point, NAMING_MAX_KM)?.name ?? UNNAMED_PLACE }
  }
  if (zone === '') throw invalid(SIGHTING_TEXTS.place)
  const place = findPlace(zone)
  if (!place) throw invalid(SIGHTING_TEXTS.zone)
  return { point: null, zone: place.name }
}

/** @param since when the owner missed the dog, ms. @throws AppError 422 for a sighting more than EARLY_HOURS before */
export function assertNotEarly(at: number, since: number): void {
  if (at < since - EARLY_HOURS * HOUR_MS) throw invalid(SIGHTING_TEXTS.early, { at: SIGHTING_TEXTS.early })
}
