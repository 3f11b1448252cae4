import { useEffect, useState } from 'react'
import { NAMELESS } from '#features/dogs/dogs.ts'
import { DOG_FIELDS, DOG_TEXTS, readField, readZone } from '#features/dogs/write/dog-fields.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

let withoutStreetNumber = (zone: string) => zone

/** Loads the rules, which weigh too much for every page. Without them the server alone removes the number. */
const loadZoneRules = (): Promise<void> =>
  import('#features/places/street-number.ts').then(
    (rules) => void (withoutStreetNumber = rules.withoutStreetNumber),
    () => {},
  )

type TidyField = 'name' | 'zone'

/** A text as the server stores it; as typed where it is refused, or differs in white space alone. */
function tidy(field: TidyField, typed: string): string {
  const read = readField<string | null>(
    field === 'name' ? DOG_FIELDS.name.read : (value) => readZone(value, withoutStreetNumber),
    typed,
  )
  if ('error' in read || read.value === null || read.value === NAMELESS) return typed
  return read.value.replace(/\s/g, '') === typed.replace(/\s/g, '') ? typed : read.value
}

const noteOf = (field: TidyField, typed: string, stored: string): string =>
  field === 'zone' && withoutStreetNumber(typed) !== typed ? DOG_TEXTS.zoneNumber : DOG_TEXTS.storedAs(stored)

/** The values with name and zone as the server stores them, and what to say of the first that differs; '' where none does. */
export async function tidyTexts(values: FormValues): Promise<{ tidied: FormValues; note: string }> {
  await loadZoneRules()
  const tidied = { ...values, name: tidy('name', values.name), zone: tidy('zone', values.zone) }
  const changed = (['name', 'zone'] as const).find((field) => tidied[field] !== values[field])
  return { tidied, note: changed ? noteOf(changed, values[changed], tidied[changed]) : '' }
}

/** Tidies name and zone when their field is left; `notes` say so until the text changes. */
export function useTidyTexts(values: FormValues, set: (change: Partial<FormValues>) => void) {
  const [done, setDone] = useState<Partial<Record<TidyField, { stored: string; note: string }>>>({})
  useEffect(() => void loadZoneRules(), [])
  const note = (field: TidyField) => (done[field]?.stored === values[field] ? (done[field]?.note ?? '') : '')
  return {
    notes: { name: note('name'), zone: note('zone') },
    tidyField(field: TidyField) {
      const stored = tidy(field, values[field])
      if (stored === values[field]) return
      set({ [field]: stored })
      setDone((before) => ({ ...before, [field]: { stored, note: noteOf(field, values[field], stored) } }))
    },
  }
}

/**
 * The same note as a toast, where Enter submits the form before anybody has read the note. Imported on use: toasts need a
 * document, and the server renders this island too.
 */
export async function showNoteToast(title: string): Promise<void> {
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title })
}
