/** The number of tilts in ui/sticker/slot.css: `.tilt-1` to `.tilt-7`. */
export const TILT_COUNT = 7

/**
 * The class that tilts a sticker. It depends on the id only, so that the server's page, the island and the next visit show the same
 * tilt.
 */
export function tiltClass(id: string): string {
  let hash = 2166136261
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619)
  return `tilt-${((hash >>> 0) % TILT_COUNT) + 1}`
}
