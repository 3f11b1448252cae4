import { type GeoPoint, distanceKm, EARTH_RADIUS_KM } from '#lib/geo.ts'
import { foldText } from '#lib/text/text.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { type DistanceBandKm, DISTANCE_BANDS_KM, FOUND_SIZES, type FoundSize } from './found.ts'

// How much a lost dog looks like a found one: points for size, coat, breed, distance and time. It orders a list for people, who decide.

/** What is known of a dog on either side. `point`: of a case the centre of its circle, of a notice the point that distances are measured from. */
export interface DogTraits {
  point: GeoPoint
  size: FoundSize | null
  /** Null where nobody has said. */
  breedSlug: string | null
  /** All that was written of its looks. */
  looks: string
  /** When it was found, or lost. */
  at: number
}

/** Below it a lost dog is not shown to a finder. */
export const MIN_SCORE = 30
/** From here on its owner is notified. */
export const NOTIFY_MIN_SCORE = 40

const BAND_POINTS: Record<DistanceBandKm, number> = { 5: 30, 10: 24, 25: 15, 50: 6 }
const SAME_SIZE = 20
const NEXT_SIZE = 8
const UNKNOWN_SIZE = 8
/** Two sizes apart: the score is below MIN_SCORE unless the breed is the same. */
const OTHER_SIZE = -40
const SAME_BREED = 35
const SAME_COLOUR = 15
/** Owners notice late, and remember the hour badly. */
const EARLY_MS = 12 * HOUR_MS
const AGES: readonly [days: number, points: number][] = [
  [3, 10],
  [14, 6],
  [60, 2],
]

/** Words of one colour or coat, folded, without their last vowel. */
const COLOURS: readonly RegExp[] = [
  /\bnegr[oa]s?\b/,
  /\bblanc[oa]s?\b/,
  /\b(?:marron(?:es)?|chocolates?|pard[oa]s?|higado)\b/,
  /\b(?:canelas?|rubi[oa]s?|doradas?|dorados?|leonad[oa]s?|beis|beige|cremas?|arena)\b/,
  /\b(?:roj[oa]s?|rojiz[oa]s?|cobriz[oa]s?|fuego)\b/,
  /\b(?:gris(?:es)?|ceniza|plata|azul(?:es)?)\b/,
  /\b(?:atigrad[oa]s?|tigrad[oa]s?)\b/,
  /\b(?:bicolor(?:es)?|tricolor(?:es)?|manchas?|manchad[oa]s?|motas?|pint[oa]s?)\b/,
  /\bpelo (?:muy )?(?:largo|rizado|lanoso)|\blanas?\b/,
  /\bpelo (?:muy )?(?:duro|aspero)\b/,
]

/** A text that names more of them describes no dog. */
const MAX_COLOURS = 4

/** The last text: one side of many comparisons is the same. */
let latest: { text: string; colours: number[] } = { text: '', colours: [] }

const coloursOf = (text: string): number[] => {
  if (text === latest.text) return latest.colours
  const folded = foldText(text)
  const named = COLOURS.flatMap((pattern, at) => (pattern.test(folded) ? [at] : []))
  return named.length > MAX_COLOURS ? [] : named
}

/** The smallest band that holds a distance; null beyond all. */
export const distanceBandOf = (km: number): DistanceBandKm | null => DISTANCE_BANDS_KM.find((band) => km < band) ?? null

function sizePoints(one: FoundSize | null, other: FoundSize | null): number {
  if (one === null || other === null) return UNKNOWN_SIZE
  const steps = Math.abs(FOUND_SIZES.indexOf(one) - FOUND_SIZES.indexOf(other))
  return steps === 0 ? SAME_SIZE : steps === 1 ? NEXT_SIZE : OTHER_SIZE
}

/** @returns null where the two cannot be the same dog: too far away, or found before it was lost */
export function compareDogs(found: DogTraits, lost: DogTraits): { score: number; bandKm: DistanceBandKm } | null {
  const bandKm = distanceBandOf(distanceKm(found.point, lost.point))
  const age = found.at - lost.at
  if (bandKm === null || age < -EARLY_MS) return null
  const breed = found.breedSlug !== null && found.breedSlug === lost.breedSlug ? SAME_BREED : 0
  const colours = coloursOf(lost.looks)
  latest = { text: lost.looks, colours }
  const colour = coloursOf(found.looks).some((each) => colours.includes(each)) ? SAME_COLOUR : 0
  const [, fresh] = AGES.find(([days]) => age < days * DAY_MS) ?? [0, 0]
  return { score: BAND_POINTS[bandKm] + sizePoints(found.size, lost.size) + breed + colour + fresh, bandKm }
}

/** The corners of a box that holds all points within `km`. */
export function boxAround({ lat, lon }: GeoPoint, km: number) {
  const north = (km / EARTH_RADIUS_KM) * (180 / Math.PI)
  const east = north / Math.max(0.02, Math.cos((lat * Math.PI) / 180))
  return { south: lat - north, north: lat + north, west: lon - east, east: lon + east }
}
