import { matchPlace } from './find-place.server.ts'
import { lookUpKey, getGazetteer } from './gazetteer.server.ts'
import { placeKey } from './places.ts'

/** The INE number of the province that a zone text lies in; empty where it names none: abroad, a region, nowhere. */
export function provinceOf(text: string | null): string {
  const g = getGazetteer()
  const found = text ? matchPlace(g, text) : null
  for (let at = found?.index ?? -1; at >= 0; at = g.entries[at]!.parent)
    if (g.entries[at]!.kind === 'province') return g.entries[at]!.id
  return ''
}

export interface Province {
  /** INE number: «28». */
  id: string
  name: string
}

/** The provinces and the two autonomous cities, by number. */
export const listProvinces = (): Province[] =>
  getGazetteer()
    .entries.filter(({ kind }) => kind === 'province')
    .map(({ id, forms }) => ({ id, name: forms[0]! }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** The province called so in any of its languages, or numbered so: «Lérida», «lleida», «a-coruna», «15». */
export function findProvince(text: string): Province | null {
  const g = getGazetteer()
  const key = placeKey(text)
  const value = lookUpKey(g, key).find((value) => g.entries[value >> 1]!.kind === 'province')
  const entry =
    value === undefined
      ? g.entries.find(({ kind, id }) => kind === 'province' && id === text.trim())
      : g.entries[value >> 1]
  return entry ? { id: entry.id, name: entry.forms[0]! } : null
}
