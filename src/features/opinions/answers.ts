import * as z from 'zod/mini'

/** What members think of a dog's breed, after the member's own opinion. */
export const opinionsAnswer = z.object({
  /** Opinions of all members. */
  opinions: z.number(),
  /** Breeds by how many members name them. */
  breeds: z.array(z.object({ slug: z.string(), name: z.string(), opinions: z.number() })),
})
