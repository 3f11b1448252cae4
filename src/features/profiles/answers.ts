import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `GET /api/profile/alias`: whether the alias is available, how it would be stored, and the Spanish reason why not. */
export const aliasAvailabilityAnswer = z.object({
  available: z.boolean(),
  alias: z.string(),
  detail: z.exactOptional(z.string()),
})

/** A member's profile as they edit it. */
export const profileAnswer = z.object({
  id: z.uuid(),
  alias: z.string(),
  emoji: z.string(),
  verified: z.boolean(),
})

/** `PUT /api/profile` */
export const savedProfileAnswer = z.object({ profile: profileAnswer })

/** `POST /api/album-link`: the address of the member's link, this once. */
export const albumLinkAnswer = z.object({ path: z.string() })
