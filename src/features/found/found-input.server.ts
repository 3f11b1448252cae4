import { textSchema } from '#features/moderation/text-schema.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'
import {
  FOUND_AGO_OPTIONS,
  FOUND_SIZES,
  FOUND_TEXTS,
  type FoundSize,
  MAX_FOUND_DAYS,
  QUESTION_LIMIT,
  SHORT_LIMIT,
  WORDS_LIMIT,
} from './found.ts'
import { type FoundPlace, readFoundPlace } from './place.server.ts'

/** What a finder says of a dog, checked. */
export interface FoundInput {
  foundAt: number
  place: FoundPlace
  size: FoundSize | null
  coat: string
  collar: string
  words: string
  question: string
}

const COORDINATE = /^-?\d{1,3}(?:\.\d{1,20})?$/
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/
/** Clocks of phones that are ahead. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS
const TEXTS = { coat: SHORT_LIMIT, collar: SHORT_LIMIT, words: WORDS_LIMIT, question: QUESTION_LIMIT } as const

/**
 * Reads a form's fields: `lat` with `lon`, or else `zone`; `found_at` (ISO 8601 with a zone) or `ago` (minutes), by default now; `size`
 * and the texts.
 * @throws AppError 422 with one sentence per field
 */
export function readFoundInput(form: FormData, now = Date.now()): FoundInput {
  const errors: FieldErrors = {}
  const field = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const read = <T>(name: string, parse: () => T): T | undefined => {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      errors[name] = error.message
      return undefined
    }
  }
  const place = read('zone', () => readPlace(field('lat'), field('lon'), field('zone')))
  const foundAt = read('found_at', () => readTime(field('found_at'), field('ago'), now))
  const size = read('size', () => readSize(field('size')))
  const text = (name: keyof typeof TEXTS) =>
    read(name, () => {
      const result = textSchema(TEXTS[name], { long: FOUND_TEXTS[name] }).safeParse(field(name))
      if (!result.success) throw invalid(FOUND_TEXTS[name])
      return result.data
    }) ?? ''
  const texts = { coat: text('coat'), collar: text('collar'), words: text('words'), question: text('question') }
  const [first] = Object.values(errors)
  if (first !== undefined || !place || foundAt === undefined || size === undefined) throw invalid(first!, errors)
  return { foundAt, place, size, ...texts }
}

function readPlace(lat: string, lon: string, zone: string): FoundPlace {
  if (lat === '' && lon === '') {
    if (zone === '') throw invalid(FOUND_TEXTS.place)
    return readFoundPlace(zone, null)
  }
  if (!COORDINATE.test(lat) || !COORDINATE.test(lon)) throw invalid(FOUND_TEXTS.point)
  const point = { lat: Number(lat), lon: Number(lon) }
  if (Math.abs(point.lat) > 90 || Math.abs(point.lon) > 180) throw invalid(FOUND_TEXTS.point)
  return readFoundPlace(zone, point)
}

function readTime(at: string, ago: string, now: number): number {
  if (at === '') {
    if (ago === '') return now
    const option = FOUND_AGO_OPTIONS.find(({ minutes }) => String(minutes) === ago)
    if (!option) throw invalid(FOUND_TEXTS.time)
    return now - option.minutes * MINUTE_MS
  }
  const time = ISO_TIME.test(at) ? Date.parse(at) : NaN
  if (Number.isNaN(time)) throw invalid(FOUND_TEXTS.time)
  if (time > now + CLOCK_TOLERANCE_MS) throw invalid(FOUND_TEXTS.future)
  if (time < now - MAX_FOUND_DAYS * DAY_MS) throw invalid(FOUND_TEXTS.past)
  return Math.min(time, now)
}

function readSize(typed: string): FoundSize | null {
  if (typed === '') return null
  const size = FOUND_SIZES.find((each) => each === typed)
  if (!size) throw invalid(FOUND_TEXTS.size)
  return size
}
