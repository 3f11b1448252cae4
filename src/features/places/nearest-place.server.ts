import { distanceKm, type GeoPoint } from '#lib/geo.ts'
import { entryAt, type EntryKind, type GazetteerEntry, getGazetteer, toPlace } from './gazetteer.server.ts'
import { placeKey } from './places.ts'

/** Kinds that are at one point. A province or an island is around it. */
const POINT_KINDS: readonly EntryKind[] = ['municipality', 'district', 'city']
const KM_PER_DEGREE = 111

export interface NearestPlace {
  /** Display name, valid as a zone: «Malasaña, Madrid». */
  name: string
  /** INE number of its province; empty abroad. */
  province: string
  distanceKm: number
}

/**
 * The place of the gazetteer nearest to a point; null where none is within `maxKm`. It looks through all places, some ten thousand, and
 * measures those within a band of latitudes: a millisecond.
 */
export function findNearestPlace(point: GeoPoint, maxKm: number): NearestPlace | null {
  const gazetteer = getGazetteer()
  const maxDegrees = maxKm / KM_PER_DEGREE
  let nearest: { index: number; entry: GazetteerEntry; km: number } | null = null
  for (const [index, entry] of gazetteer.entries.entries()) {
    if (!POINT_KINDS.includes(entry.kind) || Math.abs(entry.lat - point.lat) > maxDegrees) continue
    const km = distanceKm(entry, point)
    if (km <= maxKm && (!nearest || km < nearest.km)) nearest = { index, entry, km }
  }
  if (!nearest) return null
  const key = placeKey(nearest.entry.forms[0])
  return {
    name: toPlace(gazetteer, nearest.index, key).name,
    province: provinceOfEntry(gazetteer.entries, nearest.entry),
    distanceKm: nearest.km,
  }
}

function provinceOfEntry(entries: readonly GazetteerEntry[], entry: GazetteerEntry): string {
  for (let at = entry; ; at = entryAt(entries, at.parent)) {
    if (at.kind === 'province') return at.id
    if (at.parent < 0) return ''
  }
}
