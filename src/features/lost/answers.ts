import * as z from 'zod/mini'

// JSON answers of this feature's endpoints. Browser files import their types only.

const point = z.object({ lat: z.number(), lon: z.number() })

/** What everybody sees of a lost dog in lists, on its card and its page. */
export const lostMarkAnswer = z.object({ since: z.int(), zone: z.string() })

/** `PUT /api/dogs/{id}/lost`: the owner's own case, the only answer with the exact point. */
export const lostCaseAnswer = z.object({
  lost: z.object({
    since: z.int(),
    zone: z.string(),
    /** INE number; null abroad. */
    province: z.nullable(z.string()),
    /** The exact point; null where a zone was named. */
    point: z.nullable(point),
    /** The centre of the circle that others see. */
    shown: point,
    help: z.string(),
    chip: z.nullable(z.boolean()),
    /** The code of the poster's short link, `/p/{code}`. */
    code: z.string(),
    opened_at: z.int(),
    /** When the open question «¿Sigue perdido?» was asked; null without one. */
    asked_at: z.nullable(z.int()),
    /**
     * Who is alerted: `all` members near by, those `near` (10 km), or nobody, because this `dog` or
     * others of its `owner` were announced lately.
     */
    alerts: z.nullable(z.enum(['all', 'near', 'dog', 'owner'])),
  }),
})
