import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

export const sightingAnswer = z.object({
  id: z.string(),
  /** When the dog was seen. */
  at: z.int(),
  /** Where, if the device said it. */
  lat: z.nullable(z.number()),
  lon: z.nullable(z.number()),
  /** The place that was named, or the nearest one. */
  zone: z.string(),
  words: z.string(),
  warning: z.nullable(z.enum(['money', 'link', 'words', 'phone'])),
  state: z.enum(['delivered', 'review', 'refused']),
  photo: z.nullable(z.object({ path: z.string(), width: z.int(), height: z.int() })),
  /** Whether its sender can be written to. */
  can_write: z.boolean(),
  created_at: z.int(),
})

/** `GET /api/dogs/{id}/sightings`: the newest first. */
export const sightingsAnswer = z.object({ sightings: z.array(sightingAnswer), nextCursor: z.nullable(z.string()) })

/** `POST /api/dogs/{id}/sightings`: who sends one reads nothing of it again. */
export const sentSightingAnswer = z.object({ id: z.string(), received: z.literal(true) })

/** `POST /api/sightings/{id}` */
export const judgedSightingAnswer = z.object({ state: z.enum(['delivered', 'review', 'refused']) })
