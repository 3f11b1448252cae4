import * as z from 'zod/mini'
import type { AgeUnit } from '#lib/age.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { withoutStreetNumber } from '#features/places/street-number.ts'
import { FRAME_TEXTS } from '#features/dogs/card/frame-form.ts'
import { SEASONAL_FRAMES, type SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import { NAMELESS, type Size } from '#features/dogs/dogs.ts'
import {
  ageError,
  type AgeFields,
  DOG_FIELDS,
  DOG_TEXTS,
  normaliseAge,
  readAlt,
  readField,
  readZone,
  type Relationship,
} from './dog-fields.ts'

/** A dog's fields, checked and ready to store. */
export interface DogInput {
  name: string
  breed: string
  age: number | null
  age_unit: AgeUnit | null
  weight: number | null
  size: Size | null
  zone: string | null
  is_adopted: boolean
  description: string | null
  relationship: Relationship
}

/** The schema of a field. */
const inputField = <T>(read: (value: unknown) => T) =>
  z.pipe(
    z.unknown(),
    z.transform((value: unknown, ctx): T => {
      const result = readField(read, value)
      if ('value' in result) return result.value
      ctx.issues.push({ code: 'custom', message: result.error, input: value })
      return z.NEVER
    }),
  )

const fields = {
  name: inputField(DOG_FIELDS.name),
  breed: inputField(DOG_FIELDS.breed),
  age: inputField(DOG_FIELDS.age),
  age_unit: inputField(DOG_FIELDS.age_unit),
  weight: inputField(DOG_FIELDS.weight),
  size: inputField(DOG_FIELDS.size),
  zone: inputField((value) => readZone(value, withoutStreetNumber)),
  is_adopted: inputField(DOG_FIELDS.is_adopted),
  description: inputField(DOG_FIELDS.description),
  relationship: inputField(DOG_FIELDS.relationship),
}

/** A form sends an empty text for none. */
const frameField = z.pipe(
  z.unknown(),
  z.transform((value: unknown, ctx): SeasonalFrame | null => {
    const frame = value === null || value === '' ? null : SEASONAL_FRAMES.find((name) => name === value)
    if (frame !== undefined) return frame
    ctx.issues.push({ code: 'custom', message: FRAME_TEXTS.unknown, input: value })
    return z.NEVER
  }),
)

/** A complete dog: missing fields take their default. Reads a form's texts and JSON values. */
export const dogSchema = z.pipe(
  z
    .object({
      name: z._default(fields.name, NAMELESS),
      breed: z._default(fields.breed, MIXED_BREED),
      age: z._default(fields.age, null),
      age_unit: z._default(fields.age_unit, null),
      weight: z._default(fields.weight, null),
      size: z._default(fields.size, null),
      zone: z._default(fields.zone, null),
      is_adopted: z._default(fields.is_adopted, false),
      description: z._default(fields.description, null),
      relationship: z._default(fields.relationship, 'owner'),
    })
    .check(
      z.refine((dog) => ageError(normaliseAge(dog)) === null, {
        error: DOG_TEXTS.ageMax,
        path: ['age'],
        // Runs beside other errors too: the response lists all of them.
        when: ({ value }) => typeof (value as AgeFields | undefined)?.age === 'number',
      }),
    ),
  z.transform((dog): DogInput => normaliseAge(dog)),
)

/** The descriptions of a gallery's photos, in order; null removes a photo's description. */
export const altsSchema = z.object({ alts: z.array(inputField(readAlt)) })

/** Any subset of a dog's fields, for PATCH. `updateDog` merges age and unit with the stored ones. A frame is put on later only. */
export const dogPatchSchema = z.partial(z.object({ ...fields, frame: frameField }))
export type DogPatch = z.output<typeof dogPatchSchema>
