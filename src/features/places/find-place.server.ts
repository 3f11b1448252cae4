import { entryAt, lookUpKey, type Gazetteer, getGazetteer, toPlace } from './gazetteer.server.ts'
import { isArticle, type Place, placeKey, SEARCH_MAX_CHARS } from './places.ts'

/** The gazetteer entry that a text means, with the key that matched. */
export interface PlaceMatch {
  index: number
  key: string
}

function isWithin({ entries }: Gazetteer, index: number, container: number): boolean {
  for (let { parent } = entryAt(entries, index); parent >= 0; parent = entryAt(entries, parent).parent)
    if (parent === container) return true
  return false
}

/** Words around a name that give its kind: «provincia de», «isla de», «barrio de». */
const PREFIX =
  /^(?:(provincia|prov)|(isla)|(comunidad(?: autonoma)?|region)|barrio|distrito|ciudad|pueblo|municipio|alrededores|afueras|cerca|zona) del? /
const SUFFIX = / (?:capital|ciudad|provincia|centro|centro ciudad|espana)$/

interface TextPart {
  key: string
  entries: readonly number[]
}

/** A part of the text with the entries it may mean; none for an unknown name. */
function readPart(gazetteer: Gazetteer, text: string): TextPart {
  let key = placeKey(text.replace(/\b\d{5}\b/, ' '))
  let entries = lookUpKey(gazetteer, key)
  if (entries.length) return { key, entries }
  const before = PREFIX.exec(key)
  if (before) {
    const kind = before[1] ? 'province' : before[2] ? 'island' : before[3] ? 'region' : null
    const rest = key.slice(before[0].length)
    const found = lookUpKey(gazetteer, rest)
    const ofKind = kind ? found.filter((value) => entryAt(gazetteer.entries, value >> 1).kind === kind) : found
    entries = ofKind.length ? ofKind : found
    key = rest
  }
  if (!entries.length) {
    const rest = key.replace(SUFFIX, '')
    if (rest !== key) entries = lookUpKey(gazetteer, (key = rest))
  }
  return { key, entries }
}

/** Splits a name from its container without a comma: «Chamberí Madrid». */
function splitUnseparated(gazetteer: Gazetteer, key: string): TextPart[] | null {
  for (let cut = key.lastIndexOf(' '); cut > 0; cut = key.lastIndexOf(' ', cut - 1)) {
    const first = { key: key.slice(0, cut), entries: lookUpKey(gazetteer, key.slice(0, cut)) }
    const rest = key.slice(cut + 1)
    const second = { key: rest, entries: lookUpKey(gazetteer, rest) }
    for (const [part, other] of [
      [first, second],
      [second, first],
    ] as const)
      if (
        part.entries.some((value) => other.entries.some((container) => isWithin(gazetteer, value >> 1, container >> 1)))
      )
        return [part, other]
  }
  return null
}

/** «Barrio, ciudad, provincia, país» has four. */
const MAX_PARTS = 6

/** Splits a text at commas and the like. An article after a comma goes back before its name: «Coruña, A», «Palmas, Las». */
function splitParts(text: string): string[] {
  const parts: string[] = []
  for (const raw of text.split(/[,;()\n]|\s[-–—|/]\s/)) {
    const key = placeKey(raw)
    if (!key) continue
    if (isArticle(key) && parts.length) parts.push(`${key} ${parts.pop()}`)
    else parts.push(raw)
  }
  return parts.slice(0, MAX_PARTS)
}

/**
 * The best entry among those the parts may mean, from left to right. A place inside a place that another part names goes
 * first («Mérida, Yucatán» is not in Badajoz). A place that a later part contradicts is dropped («Centro, Salamanca»). The
 * weight decides between the rest.
 */
function chooseBest(gazetteer: Gazetteer, parts: readonly TextPart[]): PlaceMatch | null {
  let best: { index: number; key: string; matchingParts: number } | null = null
  for (const [i, part] of parts.entries()) {
    for (const value of part.entries) {
      const index = value >> 1
      let matchingParts = 0
      let contradictingParts = 0
      for (const [j, other] of parts.entries()) {
        if (i === j || other.entries.length === 0) continue
        if (other.entries.some((container) => isWithin(gazetteer, index, container >> 1))) matchingParts++
        else if (
          j > i &&
          !other.entries.some((rival) => rival >> 1 === index || isWithin(gazetteer, rival >> 1, index))
        )
          contradictingParts++
      }
      if (contradictingParts > 0 || (value % 2 === 1 && matchingParts === 0)) continue
      if (!best || matchingParts > best.matchingParts) best = { index, key: part.key, matchingParts }
    }
  }
  return !best || entryAt(gazetteer.entries, best.index).kind === 'country' ? null : best
}

/** The entry that a zone text means, or null. */
export function matchPlace(gazetteer: Gazetteer, text: string): PlaceMatch | null {
  if (text.length > SEARCH_MAX_CHARS * 2) return null
  const parts = splitParts(text).flatMap((part) => {
    const found = readPart(gazetteer, part)
    return found.entries.length ? [found] : (splitUnseparated(gazetteer, placeKey(part)) ?? [])
  })
  return chooseBest(gazetteer, parts)
}

/**
 * The place of a zone text: «Coruña, A», «La Coruña», «Alacant», «Malasaña, Madrid», «Villanueva (Badajoz)». Ignores accents,
 * case and articles. Among namesakes prefers the one in the province (town, island, country) that the text names, else
 * the most populated. Null for an unknown place.
 */
export function findPlace(text: string): Place | null {
  const gazetteer = getGazetteer()
  const found = matchPlace(gazetteer, text)
  return found && toPlace(gazetteer, found.index, found.key)
}
