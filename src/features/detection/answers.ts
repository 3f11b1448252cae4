import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET /api/breed-detection`: whether the site offers the detection. */
export const detectionStateAnswer = z.object({ available: z.boolean() })

/**
 * `POST /api/breed-detection`: the catalogue's name of the breed, null where none was recognised; and up to three breeds of the
 * catalogue with the model's confidence, best first. The first of them is `breed`; there are none where the model named a breed
 * in words only.
 */
export const detectionAnswer = z.object({
  breed: z.nullable(z.string()),
  alternatives: z.array(z.object({ breed: z.string(), confidence: z.enum(['alta', 'media', 'baja']) })),
})
