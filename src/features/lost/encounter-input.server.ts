import { textSchema } from '#features/moderation/text-schema.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { CLOCK_TOLERANCE_MS } from './lost.ts'

/**
 * Where and when somebody met a dog: the fields that the forms of sightings and of found dogs share. The sentences come from the form.
 */

/** The name of a point on land, abroad, that no town is near to. */
export const UNNAMED_PLACE = 'Lejos de cualquier pueblo'
/** A town that is farther from a point does not name it, km. */
export const NAMING_MAX_KM = 100

/** Decimal degrees: no exponent, no comma. */
const COORDINATE = /^-?\d{1,3}(?:\.\d{1,20})?$/
/** A date and a time with an offset, RFC 3339 §5.6; seconds may be missing. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Reads the fields of a form and collects one Spanish sentence for each that is refused. */
export class FormFields {
  readonly errors: FieldErrors = {}
  readonly #form: FormData

  constructor(form: FormData) {
    this.#form = form
  }

  /** The trimmed text of a field; '' for a missing one and for a file. */
  text(name: string): string {
    const value = this.#form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }

  /** @returns what `parse` returns; undefined where it throws an AppError, whose sentence is then the error of `name` */
  read<T>(name: string, parse: () => T): T | undefined {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.errors[name] = error.message
      return undefined
    }
  }

  /**
   * A normalised text of at most `limit` characters as a person counts them.
   * @param sentence the error of a longer text
   */
  readText(name: string, limit: number, sentence: string): string | undefined {
    return this.read(name, () => {
      const result = textSchema(limit, { long: sentence }).safeParse(this.text(name))
      if (!result.success) throw invalid(sentence)
      return result.data
    })
  }

  /** The 422 for the fields that were refused: the first sentence, and one per field. */
  toError(): AppError {
    const [first] = Object.values(this.errors)
    return invalid(first!, this.errors)
  }
}

/**
 * Parses a point in decimal degrees (WGS 84).
 * @param sentence the error of a point that does not exist
 * @throws AppError 422
 */
export function parsePoint(lat: string, lon: string, sentence: string): GeoPoint {
  if (!COORDINATE.test(lat) || !COORDINATE.test(lon)) throw invalid(sentence)
  const point = { lat: Number(lat), lon: Number(lon) }
  if (Math.abs(point.lat) > 90 || Math.abs(point.lon) > 180) throw invalid(sentence)
  return point
}

interface TimeOptions {
  now: number
  /** The ages that the form offers. */
  agoOptions: readonly { minutes: number }[]
  /** `time`: not a time, or none of the offered ages; `future`: a time that has not come yet. */
  texts: { time: string; future: string }
}

/**
 * Parses when a dog was met.
 * @param at RFC 3339 with an offset; '' for none
 * @param ago minutes, one of `agoOptions`; read without `at`, and '' is now
 * @returns milliseconds, at most `now`: a clock may be ahead by CLOCK_TOLERANCE_MS
 * @throws AppError 422
 */
export function parseTime(at: string, ago: string, { now, agoOptions, texts }: TimeOptions): number {
  if (at === '') {
    if (ago === '') return now
    const option = agoOptions.find(({ minutes }) => String(minutes) === ago)
    if (!option) throw invalid(texts.time)
    return now - option.minutes * MINUTE_MS
  }
  const time = ISO_TIME.test(at) ? Date.parse(at) : NaN
  if (Number.isNaN(time)) throw invalid(texts.time)
  if (time > now + CLOCK_TOLERANCE_MS) throw invalid(texts.future)
  return Math.min(time, now)
}
