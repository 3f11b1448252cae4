import { AGE_MAX_YEARS, DOG_TEXTS, dogFieldErrors } from '#features/dogs/write/dog-fields.ts'
import type { AgeUnit } from '#lib/age.ts'
import type { Photo } from './photos/gallery.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { FIELD_ORDER, type FieldName, type FormValues, toWireValues } from './form-values.ts'

/** The error of each invalid field; `form` for errors of no field. */
export type FormErrors = Partial<Record<FieldName | 'form', string>>

/** The age field's own bound in years. Months go as far as the server does: the rare dog above it is written in them. */
const FIELD_MAX_YEARS = 20
const FIELD_MAX_TEXT = `La edad no puede pasar de ${FIELD_MAX_YEARS} años.`
/** The bounds as the field says them. */
export const ageHint = (unit: AgeUnit): string =>
  unit === 'meses' ? `De 1 a ${AGE_MAX_YEARS * 12} meses` : `De 1 a ${FIELD_MAX_YEARS} años`

/**
 * Validates the fields as the server does, and the age against the field's bound.
 * @param before the stored values of the dog being edited: an unchanged age stays valid above today's limit
 */
export function validate(values: FormValues, photos: readonly Photo[], before?: FormValues): FormErrors {
  const wire = toWireValues(values)
  if (before && before.age === values.age && before.age_unit === values.age_unit) delete wire.age
  const errors: FormErrors = {}
  if (wire.age && wire.age_unit === 'años' && Number(wire.age) > FIELD_MAX_YEARS) errors.age = FIELD_MAX_TEXT
  if (!photos.some((photo) => photo.state !== 'failed')) errors.images = DOG_TEXTS.photo
  return { ...fieldErrors(dogFieldErrors(wire)), ...errors }
}

/** A number that more keys may still put right: a first zero or comma, the letters of a unit. */
const UNFINISHED_NUMBER = /^[0.,\s]*$|\d\s*k\p{L}*$/iu

/** What is wrong with the numbers among the changed fields while they are typed. */
export function typingErrors(changed: readonly string[], values: FormValues, before?: FormValues): FormErrors {
  const { age, weight } = validate(values, [], before)
  const errors: FormErrors = {}
  if (age && changed.some((name) => name.startsWith('age')) && !UNFINISHED_NUMBER.test(values.age)) errors.age = age
  if (weight && changed.includes('weight') && !UNFINISHED_NUMBER.test(values.weight)) errors.weight = weight
  return errors
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
