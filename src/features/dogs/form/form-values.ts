import { MIXED_BREED } from '#features/breeds/breeds.ts'
import type { AgeUnit } from '#lib/age.ts'
import { formatTypedNumber } from '#lib/text/typed-number.ts'
import type { Relationship } from '#features/dogs/write/dog-input.ts'
import { type Dog, NAMELESS, type Size } from '#features/dogs/dogs.ts'

/** What the form's fields hold: text as typed, so that a draft gives back exactly what was on the screen. */
export interface FormValues {
  name: string
  /** A catalogue name, '' while none is chosen. */
  breed: string
  /** «¿Mezcla de qué?», read only while `breed` is the mixed one. */
  mix: string
  age: string
  age_unit: AgeUnit
  weight: string
  size: Size | ''
  zone: string
  description: string
  relationship: Relationship
  is_adopted: boolean
}
export type FieldName = Exclude<keyof FormValues, 'mix' | 'age_unit'> | 'images'

export const EMPTY_VALUES: FormValues = {
  name: '',
  breed: '',
  mix: '',
  age: '',
  age_unit: 'años',
  weight: '',
  size: '',
  zone: '',
  description: '',
  relationship: 'owner',
  is_adopted: false,
}

/** The fields in the order a person meets them, which decides the «first» wrong one. */
export const FIELD_ORDER: readonly FieldName[] = [
  'images',
  'name',
  'breed',
  'age',
  'weight',
  'size',
  'zone',
  'relationship',
  'description',
  'is_adopted',
]

/** The breed as it is stored (docs/product.md §11.3): the mix a person described, or the chosen breed. */
export const storedBreed = ({ breed, mix }: FormValues): string => (breed === MIXED_BREED && mix.trim()) || breed

/** A stored dog as the fields show it. A breed outside the catalogue is the mix of a mestizo. */
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
    description: dog.description ?? '',
    relationship: dog.discoverer_id === userId && dog.owner_id !== userId ? 'discoverer' : 'owner',
    is_adopted: dog.is_adopted,
  }
}

/** The values as they travel: multipart has only text. */
export function toWireValues(values: FormValues): Record<string, string> {
  const { mix: _, ...rest } = values
  return { ...rest, breed: storedBreed(values), is_adopted: String(values.is_adopted) }
}

/** The travelling fields that differ from `before`: what PATCH sends.  */
export function changedValues(values: FormValues, before: FormValues): Record<string, string> {
  const now = toWireValues(values)
  const was = toWireValues(before)
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== was[key]))
}

/** True when a person has typed or chosen anything. */
export const isTouched = (values: FormValues, from: FormValues = EMPTY_VALUES): boolean =>
  (Object.keys(EMPTY_VALUES) as (keyof FormValues)[]).some((key) => values[key] !== from[key])
