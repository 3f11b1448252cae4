import { matchPlace } from './find-place.server.ts'
import { entryAt, lookUpKey, getGazetteer } from './gazetteer.server.ts'
import { placeKey } from './places.ts'

/** The INE number of a zone's province; '' for places abroad, regions and unknown texts. */
export function provinceOf(text: string | null): string {
  // The gazetteer takes a quarter of a second to read.
  if (!text) return ''
  const gazetteer = getGazetteer()
  const found = matchPlace(gazetteer, text)
  for (let index = found?.index ?? -1; index >= 0;) {
    const { kind, id, parent } = entryAt(gazetteer.entries, index)
    if (kind === 'province') return id
    index = parent
  }
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
    .map(({ id, forms }) => ({ id, name: forms[0] }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** The names of the provinces and the two autonomous cities, by number. */
export const provinceNames = (): ReadonlyMap<string, string> =>
  new Map(listProvinces().map(({ id, name }) => [id, name]))

/** Finds a province by name in any of its languages, or by number: «Lérida», «lleida», «a-coruna», «15». */
export function findProvince(text: string): Province | null {
  const gazetteer = getGazetteer()
  const key = placeKey(text)
  const value = lookUpKey(gazetteer, key).find((value) => entryAt(gazetteer.entries, value >> 1).kind === 'province')
  const entry =
    value === undefined
      ? gazetteer.entries.find(({ kind, id }) => kind === 'province' && id === text.trim())
      : gazetteer.entries[value >> 1]
  return entry ? { id: entry.id, name: entry.forms[0] } : null
}
