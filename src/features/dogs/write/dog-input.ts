import * as z from 'zod/mini'
import { withoutStreetNumber } from '#features/places/street-number.ts'
import { FRAME_TEXTS } from '#features/dogs/card/frame-form.ts'
import { SEASONAL_FRAMES, type SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import {
  ageError,
  type AgeFields,
  DOG_FIELD_NAMES,
  DOG_FIELDS,
  DOG_TEXTS,
  type DogFieldName,
  type DogInput,
  normaliseAge,
  readAlt,
  readField,
  readZone,
} from './dog-fields.ts'

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

type FieldSchemas = { [Name in DogFieldName]: z.ZodMiniType<DogInput[Name]> }
const schemasOf = (schemaOf: (name: DogFieldName) => z.ZodMiniType) =>
  Object.fromEntries(DOG_FIELD_NAMES.map((name) => [name, schemaOf(name)])) as unknown as FieldSchemas

const fields: FieldSchemas = {
  ...schemasOf((name) => inputField<unknown>(DOG_FIELDS[name].read)),
  zone: inputField((value) => readZone(value, withoutStreetNumber)),
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
  z.object(schemasOf((name) => z._default(fields[name], DOG_FIELDS[name].empty as never))).check(
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
