import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod/mini'

/** Where single dogs stand whatever their zone says: dog ids and their points. */
export type LocationOverrides = ReadonlyMap<string, { lon: number; lat: number }>

/** Room for a hundred thousand dogs, and no more than a slip would cost. */
const FILE_MAX_BYTES = 32 * 1024 * 1024

const degreesWithin = (limit: number) => z.number().check(z.gte(-limit), z.lte(limit))
const file = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      properties: z.object({ id: z.string().check(z.minLength(1)) }),
      geometry: z.object({
        type: z.literal('Point'),
        // A third number, the height, is allowed there and says nothing here.
        coordinates: z.tuple([degreesWithin(180), degreesWithin(90)], z.number()),
      }),
    }),
  ),
})

/** The points of a dogs-geo.json. @throws Error that says what is wrong with it */
export function parseOverrides(text: string): LocationOverrides {
  const result = file.safeParse(JSON.parse(text))
  if (!result.success) {
    const { path, message } = result.error.issues[0]!
    throw new Error(`${path.join('.') || 'raíz'}: ${message}`)
  }
  return new Map(
    result.data.features.map(({ properties, geometry }) => {
      const [lon, lat] = geometry.coordinates
      return [properties.id, { lon, lat }]
    }),
  )
}

/**
 * Follows `DATA_DIR/dogs-geo.json` (docs/product.md §16.6): `changed()` looks whether it came, changed or went, and tells it once. A
 * broken file is reported in the log and counts as none, so that half of somebody's list never moves dogs about.
 */
export class OverrideFile {
  points: LocationOverrides = new Map()
  /** The file is there and counts. */
  isValid = false
  #seen = ''
  readonly #path: string
  readonly #report: (text: string) => void

  constructor(path: string, report: (text: string) => void = (text) => console.error(text)) {
    this.#path = path
    this.#report = report
  }

  reloadIfChanged(): boolean {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    const seen = stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : ''
    if (seen === this.#seen) return false
    this.#seen = seen
    const points = stat ? this.#read(stat.size) : null
    this.isValid = points !== null
    this.points = points ?? new Map()
    return true
  }

  #read(size: number): LocationOverrides | null {
    try {
      if (size > FILE_MAX_BYTES) throw new Error(`ocupa más de ${FILE_MAX_BYTES / 1024 / 1024} MB`)
      return parseOverrides(readFileSync(this.#path, 'utf8'))
    } catch (error) {
      this.#report(`perrario · dogs-geo.json no sirve y no se tiene en cuenta (${(error as Error).message})`)
      return null
    }
  }
}
