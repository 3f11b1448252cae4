import { DOG_TEXTS, dogFieldErrors } from '#features/dogs/write/dog-fields.ts'
import type { Photo } from './photos/gallery.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { FIELD_ORDER, type FieldName, type FormValues, toWireValues } from './form-values.ts'

/** The error of each invalid field; `form` for errors of no field. */
export type FormErrors = Partial<Record<FieldName | 'form', string>>

/**
 * Validates the fields as the server does.
 * @param before the stored values of the dog being edited: an unchanged age stays valid above today's limit
 */
export function validate(values: FormValues, photos: readonly Photo[], before?: FormValues): FormErrors {
  const wire = toWireValues(values)
  if (before && before.age === values.age && before.age_unit === values.age_unit) delete wire.age
  const errors: FormErrors = {}
  if (!photos.some((photo) => photo.state !== 'failed')) errors.images = DOG_TEXTS.photo
  return { ...errors, ...fieldErrors(dogFieldErrors(wire)) }
}

/** The server's errors by field of the form: `images.3` and `alts.3` belong to the gallery, `age_unit` to the age. */
export function fieldErrors(errors: Readonly<Record<string, string>> | undefined): FormErrors {
  const byField: FormErrors = {}
  for (const [path, text] of Object.entries(errors ?? {})) {
    const name = fieldOf(path.split('.')[0]!)
    if (name) byField[name] ??= text
  }
  return byField
}

const fieldOf = (key: string): FieldName | undefined =>
  key === 'age_unit' ? 'age' : key === 'alts' ? 'images' : FIELD_ORDER.find((name) => name === key)

/** The first invalid field in their order on the screen. */
export const firstInvalidField = (errors: FormErrors): FieldName | undefined => FIELD_ORDER.find((name) => errors[name])

/** The errors without those of changed fields: `mix` belongs to the breed, `age_unit` to the age. */
export function clearErrors(errors: FormErrors, changed: readonly (keyof FormValues | 'images')[]): FormErrors {
  const rest = { ...errors }
  for (const key of changed) delete rest[key === 'mix' ? 'breed' : key === 'age_unit' ? 'age' : key]
  return rest
}

/** The field that gets the focus after a failed validation: the first invalid one; `mix` for the breed of a mestizo. */
export function fieldToFocus(errors: FormErrors, { breed }: Pick<FormValues, 'breed'>): FieldName | 'mix' | undefined {
  const first = firstInvalidField(errors)
  return first === 'breed' && breed === MIXED_BREED ? 'mix' : first
}
