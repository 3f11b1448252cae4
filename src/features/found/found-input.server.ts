import { FormFields, parsePoint, parseTime } from '#features/lost/encounter-input.server.ts'
import { invalid } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
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
  /** Milliseconds. */
  foundAt: number
  place: FoundPlace
  size: FoundSize | null
  coat: string
  collar: string
  words: string
  question: string
}

const LIMITS = { coat: SHORT_LIMIT, collar: SHORT_LIMIT, words: WORDS_LIMIT, question: QUESTION_LIMIT } as const

/**
 * Reads a form's fields: `lat` with `lon`, or else `zone`; `found_at` (ISO 8601 with a zone) or `ago` (minutes), by default now; `size`
 * and the texts.
 * @throws AppError 422 with one sentence per field
 */
export function readFoundInput(form: FormData, now = Date.now()): FoundInput {
  const fields = new FormFields(form)
  const place = fields.read('zone', () => readPlace(fields.text('lat'), fields.text('lon'), fields.text('zone')))
  const foundAt = fields.read('found_at', () => readTime(fields.text('found_at'), fields.text('ago'), now))
  const size = fields.read('size', () => readSize(fields.text('size')))
  const text = (name: keyof typeof LIMITS) => fields.readText(name, LIMITS[name], FOUND_TEXTS[name]) ?? ''
  const texts = { coat: text('coat'), collar: text('collar'), words: text('words'), question: text('question') }
  if (Object.keys(fields.errors).length > 0 || !place || foundAt === undefined || size === undefined)
    throw fields.toError()
  return { foundAt, place, size, ...texts }
}

function readPlace(lat: string, lon: string, zone: string): FoundPlace {
  if (lat !== '' || lon !== '') return readFoundPlace(zone, parsePoint(lat, lon, FOUND_TEXTS.point))
  if (zone === '') throw invalid(FOUND_TEXTS.place)
  return readFoundPlace(zone, null)
}

function readTime(at: string, ago: string, now: number): number {
  const time = parseTime(at, ago, { now, agoOptions: FOUND_AGO_OPTIONS, texts: FOUND_TEXTS })
  if (time < now - MAX_FOUND_DAYS * DAY_MS) throw invalid(FOUND_TEXTS.past)
  return time
}

function readSize(typed: string): FoundSize | null {
  if (typed === '') return null
  const size = FOUND_SIZES.find((each) => each === typed)
  if (!size) throw invalid(FOUND_TEXTS.size)
  return size
}
