/** Maximum distance of a dog from its zone's point: wide enough that no mark shows a home (docs/product.md §16.2). */
export const JITTER_RADIUS_M = 400

const METRES_PER_DEGREE = 111_320
/** About the edge of Mercator maps. */
const LAT_MAX = 85

/** Rounds to about a metre, the precision of responses. */
const roundToMetre = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** FNV-1a with a final mix, because alone it hashes similar endings to similar values. From 0 to below 1. */
function hashToUnit(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/**
 * The location of a dog of a zone: uniformly distributed within JITTER_RADIUS_M of the zone's point, and always the same for the
 * same dog. Reversing it gives only the zone's point.
 */
export function jitterLocation(id: string, zone: { lon: number; lat: number }): { lon: number; lat: number } {
  const distance = JITTER_RADIUS_M * Math.sqrt(hashToUnit(id, 0x9e3779b9))
  const angle = 2 * Math.PI * hashToUnit(id, 0x51ed270b)
  const lat = Math.max(-LAT_MAX, Math.min(LAT_MAX, zone.lat + (distance * Math.sin(angle)) / METRES_PER_DEGREE))
  const east = (distance * Math.cos(angle)) / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
  const lon = ((((zone.lon + east + 180) % 360) + 360) % 360) - 180
  return { lon: roundToMetre(lon), lat: roundToMetre(lat) }
}
