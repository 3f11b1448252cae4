import type { GeoPoint } from '#lib/geo.ts'

/** Radius of the circle that others see of where a dog was last seen, metres. */
export const LOST_CIRCLE_M = 500

/** A lost dog as anybody may see it: `shown` is the centre of the circle, never the place itself. */
export interface PublicLostCase {
  id: string
  dog_id: string
  since: number
  zone: string
  province: string
  shown: GeoPoint
  help: string
  chip: boolean | null
  code: string
  opened_at: number
}
