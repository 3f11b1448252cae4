import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

const picture = z.object({ src: z.string(), alt: z.string() })

const guess = z.object({
  slug: z.string(),
  name: z.string(),
  correct: z.boolean(),
  group: z.boolean(),
  size: z.enum(['same', 'bigger', 'smaller']),
  origin: z.boolean(),
  coat: z.boolean(),
})

/** The game after a guess: `answer` and `result` are null until it ends, a hint is null until it is given. */
export const gameAnswer = z.object({
  day: z.string(),
  state: z.enum(['open', 'won', 'lost']),
  guesses: z.array(guess),
  left: z.int().check(z.minimum(0)),
  hints: z.object({
    silhouette: z.string(),
    height: z.nullable(picture),
    origin: z.nullable(z.string()),
    fact: z.nullable(z.string()),
    portrait: z.nullable(picture),
  }),
  answer: z.nullable(z.object({ slug: z.string(), name: z.string() })),
  result: z.nullable(z.string()),
})
