import * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import { SEARCH_MAX_CHARS } from '#features/places/places.ts'
import { HELP_MAX_CHARS, LOST_ENDINGS, LOST_TEXTS } from './lost.ts'

const degrees = (max: number) =>
  z.optional(
    z.nullable(z.number(LOST_TEXTS.point).check(z.minimum(-max, LOST_TEXTS.point), z.maximum(max, LOST_TEXTS.point))),
  )

/** The body of `PUT /api/dogs/{id}/lost`: `zone`, or `lat` with `lon`. Times in milliseconds. */
export const lostInput = z.object({
  since: z.int(LOST_TEXTS.since),
  zone: z.optional(z.nullable(textSchema(SEARCH_MAX_CHARS, { long: LOST_TEXTS.zoneLong, none: LOST_TEXTS.place }))),
  lat: degrees(90),
  lon: degrees(180),
  help: z._default(textSchema(HELP_MAX_CHARS, { long: LOST_TEXTS.helpLong }), ''),
  chip: z._default(z.nullable(z.boolean(LOST_TEXTS.chip)), null),
})
export type LostInput = z.output<typeof lostInput>

/** The body of `DELETE /api/dogs/{id}/lost`. */
export const endingInput = z.object({
  ending: z.enum(LOST_ENDINGS, LOST_TEXTS.ending),
  /** At «¡En casa!»: whether the dog's page thanks those who helped. */
  thanks: z._default(z.boolean(LOST_TEXTS.thanks), false),
})
