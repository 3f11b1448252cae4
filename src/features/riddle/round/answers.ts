import * as z from 'zod/mini'
import { LEVELS } from './round.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

const picture = z.object({ src: z.string(), alt: z.string() })
const breed = z.object({ slug: z.string(), name: z.string() })

/** A round: `question` is null once it is over; a question has either names or stickers to choose from. */
export const roundAnswer = z.object({
  token: z.string(),
  level: z.enum(LEVELS),
  score: z.int().check(z.minimum(0)),
  question: z.nullable(
    z.object({
      number: z.int(),
      asks: z.enum(['breed', 'sticker']),
      name: z.nullable(z.string()),
      picture: z.nullable(picture),
      options: z.array(z.object({ name: z.nullable(z.string()), picture: z.nullable(picture) })),
    }),
  ),
  answered: z.array(z.object({ isRight: z.boolean(), right: breed, chosen: breed })),
})
