import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET /api/breeds`: the names of all breeds, and how addresses spell them. */
export const breedsAnswer = z.object({ breeds: z.array(z.object({ slug: z.string(), name: z.string() })) })
