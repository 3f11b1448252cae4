import * as z from 'zod/mini'
import { dogQuerySchema } from '#features/dogs/list/dog-query.ts'
import { type Area, MAP_TEXTS, DECIMAL_PATTERN, parseBbox, ZOOM_DEFAULT, ZOOM_MAX, ZOOM_MIN } from './map.ts'

// Separate from map.ts, which browsers load: they need no schemas.

const customIssue = (input: unknown, message: string) => ({ code: 'custom' as const, input, message })

const bbox = z.pipe(
  z.string(MAP_TEXTS.bbox).check(z.maxLength(200, MAP_TEXTS.bbox)),
  z.transform((text: string, ctx): Area[] => {
    const areas = parseBbox(text)
    if (typeof areas === 'string') ctx.issues.push(customIssue(text, areas))
    return typeof areas === 'string' ? [] : areas
  }),
)

const zoom = z.pipe(
  z.string().check(z.maxLength(20, MAP_TEXTS.zoom)),
  z.transform((text: string, ctx): number => {
    if (!DECIMAL_PATTERN.test(text.trim())) ctx.issues.push(customIssue(text, MAP_TEXTS.zoom))
    return Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, Math.floor(Number(text)) || 0))
  }),
)

const { breed, size, sort, cursor, limit } = dogQuerySchema.shape

/** The query of `GET /api/map`: `view` is the visible part of the bbox, whose dogs `visible` counts. */
export const mapQuerySchema = z.object({
  bbox,
  view: z.optional(bbox),
  zoom: z._default(zoom, ZOOM_DEFAULT),
  breed,
  size,
})
/** The query of `GET /api/map/dogs`. */
export const mapDogsQuerySchema = z.object({ bbox, breed, size, sort, cursor, limit })
/** The query of `GET /api/map/lost`. */
export const lostMarksQuerySchema = z.object({ bbox })
