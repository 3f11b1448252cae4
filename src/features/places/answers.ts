import * as z from 'zod/mini'
import { PLACE_KINDS } from './places.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET /api/places`: zones whose name begins like the text, the most populated first. */
export const placesAnswer = z.object({ places: z.array(z.object({ name: z.string(), kind: z.enum(PLACE_KINDS) })) })

/** `GET /api/geocode`: the centre of a zone and its name; null where it is unknown. */
export const geocodeAnswer = z.nullable(
  z.object({
    /** Longitude and latitude. */
    center: z.tuple([z.number(), z.number()]),
    place_name: z.string(),
  }),
)
