import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod/mini'

/** Points of single dogs in place of their zone's, by dog id. */
export type LocationOverrides = ReadonlyMap<string, { lon: number; lat: number }>

/** Enough for a hundred thousand dogs; limits the memory that a wrong file takes. */
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
        // GeoJSON allows a third number, the altitude, which is ignored.
        coordinates: z.tuple([degreesWithin(180), degreesWithin(90)], z.number()),
      }),
    }),
  ),
})

/** Parses a dogs-geo.json. @throws Error for an invalid file, with the first problem */
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
 * Follows `DATA_DIR/dogs-geo.json` (docs/product.md §16.6): `reloadIfChanged()` reads it when it was added, changed or deleted. An
 * invalid file is reported in the log and has no effect: a partly read list would move some dogs and not others.
 */
export class OverrideFile {
  points: LocationOverrides = new Map()
  /** Whether there is a valid file. */
  isValid = false
  #fileState = ''
  readonly #path: string
  readonly #report: (text: string) => void

  constructor(path: string, report: (text: string) => void = (text) => console.error(text)) {
    this.#path = path
    this.#report = report
  }

  reloadIfChanged(): boolean {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    const fileState = stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : ''
    if (fileState === this.#fileState) return false
    this.#fileState = fileState
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
