import { lookUpKey, type Gazetteer, getGazetteer, toPlace } from './gazetteer.server.ts'
import { isArticle, type Place, placeKey, SEARCH_MAX_CHARS } from './places.ts'

/** What a text means: an entry of the gazetteer, under the name it was found by. */
export interface PlaceMatch {
  index: number
  key: string
}

function isWithin({ entries }: Gazetteer, index: number, container: number): boolean {
  for (let at = entries[index]!.parent; at >= 0; at = entries[at]!.parent) if (at === container) return true
  return false
}

/** Words around a name that say what it is, not which: «provincia de», «isla de», «barrio de». */
const PREFIX =
  /^(?:(provincia|prov)|(isla)|(comunidad(?: autonoma)?|region)|barrio|distrito|ciudad|pueblo|municipio|alrededores|afueras|cerca|zona) del? /
const SUFFIX = / (?:capital|ciudad|provincia|centro|centro ciudad|espana)$/

interface TextPart {
  key: string
  entries: readonly number[]
}

/** A part of the text with what it may mean; empty where it names nothing. */
function readPart(g: Gazetteer, text: string): TextPart {
  let key = placeKey(text.replace(/\b\d{5}\b/, ' '))
  let entries = lookUpKey(g, key)
  if (entries.length) return { key, entries }
  const before = PREFIX.exec(key)
  if (before) {
    const kind = before[1] ? 'province' : before[2] ? 'island' : before[3] ? 'region' : null
    const rest = key.slice(before[0].length)
    const found = lookUpKey(g, rest)
    const ofKind = kind ? found.filter((value) => g.entries[value >> 1]!.kind === kind) : found
    entries = ofKind.length ? ofKind : found
    key = rest
  }
  if (!entries.length) {
    const rest = key.replace(SUFFIX, '')
    if (rest !== key) entries = lookUpKey(g, (key = rest))
  }
  return { key, entries }
}

/** «Chamberí Madrid»: a name and what it lies in, with nothing between them. */
function splitUnseparated(g: Gazetteer, key: string): TextPart[] | null {
  for (let cut = key.lastIndexOf(' '); cut > 0; cut = key.lastIndexOf(' ', cut - 1)) {
    const first = { key: key.slice(0, cut), entries: lookUpKey(g, key.slice(0, cut)) }
    const rest = key.slice(cut + 1)
    const last = { key: rest, entries: lookUpKey(g, rest) }
    for (const [part, other] of [
      [first, last],
      [last, first],
    ] as const)
      if (part.entries.some((value) => other.entries.some((o) => isWithin(g, value >> 1, o >> 1)))) return [part, other]
  }
  return null
}

/** «Barrio, ciudad, provincia, país» is four; whoever sends fifty wants something else. */
const MAX_PARTS = 6

/** «Coruña, A» and «Palmas, Las» put the article where it is spoken. */
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
 * The best of what the parts may mean. Each part is tried from left to right: a place that lies in what another part
 * names goes first («Mérida, Yucatán» is none in Badajoz); one beside which a later part names somewhere else is given
 * up for that part («Centro, Salamanca»); the rest is settled by weight.
 */
function chooseBest(g: Gazetteer, parts: readonly TextPart[]): PlaceMatch | null {
  let best: { index: number; key: string; fits: number } | null = null
  for (const [i, part] of parts.entries()) {
    for (const value of part.entries) {
      const index = value >> 1
      let fits = 0
      let strays = 0
      for (const [j, other] of parts.entries()) {
        if (i === j || other.entries.length === 0) continue
        if (other.entries.some((o) => isWithin(g, index, o >> 1))) fits++
        else if (j > i && !other.entries.some((o) => o >> 1 === index || isWithin(g, o >> 1, index))) strays++
      }
      if (strays > 0 || (value % 2 === 1 && fits === 0)) continue
      if (!best || fits > best.fits) best = { index, key: part.key, fits }
    }
  }
  return !best || g.entries[best.index]!.kind === 'country' ? null : best
}

/** What a zone text means, as findPlace reads it. */
export function matchPlace(g: Gazetteer, text: string): PlaceMatch | null {
  if (text.length > SEARCH_MAX_CHARS * 2) return null
  const parts = splitParts(text).flatMap((part) => {
    const found = readPart(g, part)
    return found.entries.length ? [found] : (splitUnseparated(g, placeKey(part)) ?? [])
  })
  return chooseBest(g, parts)
}

/**
 * Where a zone text is, as people write one: «Coruña, A», «La Coruña», «Alacant», «Malasaña, Madrid», «Villanueva
 * (Badajoz)». Accents, case and articles do not matter; of namesakes the one in the province (town, island, country)
 * that the text names, else the one with most people. Null for what names no place.
 */
export function findPlace(text: string): Place | null {
  const g = getGazetteer()
  const found = matchPlace(g, text)
  return found && toPlace(g, found.index, found.key)
}
