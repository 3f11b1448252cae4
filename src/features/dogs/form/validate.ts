import { DOG_TEXTS, dogSchema } from '#features/dogs/write/dog-input.ts'
import type { Photo } from './photos/gallery.ts'
import { FIELD_ORDER, type FieldName, type FormValues, toWireValues } from './form-values.ts'

/** One sentence for each field that is wrong; `form` for what belongs to none. */
export type FormErrors = Partial<Record<FieldName | 'form', string>>

/**
 * What the schema the server uses says about the fields.
 * @param before what the dog being edited looks like: a stored age stays valid whatever the limit is today
 */
export function validate(values: FormValues, photos: readonly Photo[], before?: FormValues): FormErrors {
  const wire = toWireValues(values)
  if (before && before.age === values.age && before.age_unit === values.age_unit) delete wire.age
  const errors: FormErrors = {}
  if (!photos.some((photo) => photo.state !== 'failed')) errors.images = DOG_TEXTS.photo
  const result = dogSchema.safeParse(wire)
  for (const issue of result.error?.issues ?? []) {
    const name = fieldOf(String(issue.path[0]))
    if (name) errors[name] ??= issue.message
  }
  return errors
}

/** The server's errors by field: `images.3` and `alts.3` are the gallery's, `age_unit` the age's. */
export function fieldErrors(errors: Readonly<Record<string, string>> | undefined): FormErrors {
  const mine: FormErrors = {}
  for (const [path, text] of Object.entries(errors ?? {})) {
    const name = fieldOf(path.split('.')[0]!)
    if (name) mine[name] ??= text
  }
  return mine
}

const fieldOf = (key: string): FieldName | undefined =>
  key === 'age_unit' ? 'age' : key === 'alts' ? 'images' : FIELD_ORDER.find((name) => name === key)

/** The first wrong field as a person meets them. */
export const firstInvalidField = (errors: FormErrors): FieldName | undefined => FIELD_ORDER.find((name) => errors[name])
