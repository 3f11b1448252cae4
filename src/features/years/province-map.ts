/** A drawn map of the provinces, coloured by how much of something is in each. */
export interface ProvinceMapData {
  width: number
  height: number
  shapes: readonly {
    /** Its path. */
    d: string
    /** From 0, nothing, to MAP_LEVELS. */
    level: number
  }[]
}

/** Shades besides that of an empty province. */
export const MAP_LEVELS = 4
