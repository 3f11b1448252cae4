import { MIXED_BREED } from '#features/breeds/breeds.ts'
import type { AgeUnit } from '#lib/age.ts'
import { formatTypedNumber } from '#lib/text/typed-number.ts'
import { FREE_TEXT_NAMES, type FreeText, type Relationship } from '#features/dogs/write/dog-fields.ts'
import { type Dog, NAMELESS, type Size } from '#features/dogs/dogs.ts'

/** The values of the form's fields: text as typed, so that a draft restores exactly what was on the screen. */
export interface FormValues extends Record<FreeText, string> {
  name: string
  /** A catalogue name; '' while none is chosen. */
  breed: string
  /** «¿Mezcla de qué?», read only while `breed` is the mixed one. */
  mix: string
  age: string
  age_unit: AgeUnit
  weight: string
  size: Size | ''
  zone: string
  relationship: Relationship
  is_adopted: boolean
}
export type FieldName = Exclude<keyof FormValues, 'mix' | 'age_unit'> | 'images'

const freeTexts = (valueOf: (name: FreeText) => string) =>
  Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, valueOf(name)])) as Record<FreeText, string>

export const EMPTY_VALUES: FormValues = {
  name: '',
  breed: '',
  mix: '',
  age: '',
  age_unit: 'años',
  weight: '',
  size: '',
  zone: '',
  ...freeTexts(() => ''),
  relationship: 'owner',
  is_adopted: false,
}

/** The fields in their order on the screen, which decides the first invalid one. */
export const FIELD_ORDER: readonly FieldName[] = [
  'images',
  'name',
  'breed',
  'age',
  'weight',
  'size',
  'zone',
  'relationship',
  ...FREE_TEXT_NAMES,
  'is_adopted',
]

/** The breed to store (docs/product.md §11.3): the described mix, or the chosen breed. */
export const storedBreed = ({ breed, mix }: FormValues): string => (breed === MIXED_BREED && mix.trim()) || breed

/** The form values of a stored dog. A breed outside the catalogue is the mix of a mestizo. */
export function toFormValues(dog: Dog, userId: string | null, isCatalogueBreed: (name: string) => boolean): FormValues {
  const isListed = isCatalogueBreed(dog.breed)
  return {
    name: dog.name === NAMELESS ? '' : dog.name,
    breed: isListed ? dog.breed : MIXED_BREED,
    mix: isListed ? '' : dog.breed,
    age: dog.age === null ? '' : String(dog.age),
    age_unit: dog.age_unit ?? 'años',
    weight: dog.weight === null ? '' : formatTypedNumber(dog.weight),
    size: dog.size ?? '',
    zone: dog.zone ?? '',
    ...freeTexts((name) => dog[name] ?? ''),
    relationship: dog.discoverer_id === userId && dog.owner_id !== userId ? 'discoverer' : 'owner',
    is_adopted: dog.is_adopted,
  }
}

/** The values to send, all as text for multipart. */
export function toWireValues(values: FormValues): Record<string, string> {
  const { mix: _, ...rest } = values
  return { ...rest, breed: storedBreed(values), is_adopted: String(values.is_adopted) }
}

/** The fields to send that differ from `before`: the body of PATCH. */
export function changedValues(values: FormValues, before: FormValues): Record<string, string> {
  const wireBefore = toWireValues(before)
  return Object.fromEntries(Object.entries(toWireValues(values)).filter(([key, value]) => value !== wireBefore[key]))
}

/** True when any value differs from `from`. */
export const isTouched = (values: FormValues, from: FormValues = EMPTY_VALUES): boolean =>
  (Object.keys(EMPTY_VALUES) as (keyof FormValues)[]).some((key) => values[key] !== from[key])

/** The least time a person takes from opening the form for a new dog to sending it: choosing a photo takes longer. */
export const MIN_FILL_TIME_MS = 2000

/** The form field with the milliseconds that the form was open. API clients without a form send none. */
export const FILL_TIME_FIELD = 'open_for_ms'

/** The form field with the id of the member who opened the form. Visitors and API clients send none. */
export const MEMBER_FIELD = 'member'

/** True for a `FILL_TIME_FIELD` below the minimum, or unreadable; false without one. */
export const isFilledTooFast = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && value !== '' && Number(value) >= MIN_FILL_TIME_MS)
