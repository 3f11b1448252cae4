import * as z from 'zod/mini'
import { SIZES } from '#features/dogs/dogs.ts'
import { AGE_UNITS } from '#lib/age.ts'

// Answers of no feature's answers.ts that the OpenAPI document describes (scripts/lib/openapi.ts).

const text = z.string()
const nonNegativeInt = z.int().check(z.minimum(0))

/** /razas-final.json */
export const catalogue = z.object({
  razas: z.array(z.object({ id: z.int(), nombre_castellano: text, imagen_purina: text })),
})

/** /datos/perros.geojson */
export const dogsGeojson = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      id: z.uuid(),
      geometry: z.nullable(z.object({ type: z.literal('Point'), coordinates: z.tuple([z.number(), z.number()]) })),
      properties: z.object({
        name: text,
        breed: text,
        breed_slug: text,
        age: z.nullable(nonNegativeInt),
        age_unit: z.nullable(z.enum(AGE_UNITS)),
        weight_kg: z.nullable(z.number()),
        size: z.nullable(z.enum(SIZES)),
        zone: z.nullable(text),
        province: z.nullable(text),
        likes: nonNegativeInt,
        created: z.iso.date(),
        page: text,
        photo: text,
      }),
    }),
  ),
  siguiente: z.nullable(text),
})

/** Every error (RFC 9457). */
export const problem = z.object({
  type: text,
  title: text,
  status: z.int(),
  detail: text,
  errors: z.optional(z.record(text, text)),
  requestId: z.optional(text),
})
