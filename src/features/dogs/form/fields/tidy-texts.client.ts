import { NAMELESS } from '#features/dogs/dogs.ts'
import type { TidyField } from '#features/dogs/form/form-state.ts'
import { DOG_FIELDS, DOG_TEXTS, readField, readZone } from '#features/dogs/write/dog-fields.ts'

let withoutStreetNumber = (zone: string) => zone

/** Loads the rules, which weigh too much for every page. Without them the server alone removes the number. */
export const loadZoneRules = (): Promise<void> =>
  import('#features/places/street-number.ts').then(
    (rules) => void (withoutStreetNumber = rules.withoutStreetNumber),
    () => {},
  )

/** A text as the server stores it; as typed where it is refused, or differs in white space alone. */
export function tidyText(field: TidyField, typed: string): string {
  const read = readField<string | null>(
    field === 'name' ? DOG_FIELDS.name.read : (value) => readZone(value, withoutStreetNumber),
    typed,
  )
  if ('error' in read || read.value === null || read.value === NAMELESS) return typed
  return read.value.replace(/\s/g, '') === typed.replace(/\s/g, '') ? typed : read.value
}

/** What is said of a tidied text. */
export const tidyNote = (field: TidyField, typed: string, stored: string): string =>
  field === 'zone' && withoutStreetNumber(typed) !== typed ? DOG_TEXTS.zoneNumber : DOG_TEXTS.storedAs(stored)
