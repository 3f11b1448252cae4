import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET /api/breed-detection`: whether the site offers the detection. */
export const detectionStateAnswer = z.object({ available: z.boolean() })

/** `POST /api/breed-detection`: the catalogue's name of the breed; null where none was recognised. */
export const detectionAnswer = z.object({ breed: z.nullable(z.string()) })
