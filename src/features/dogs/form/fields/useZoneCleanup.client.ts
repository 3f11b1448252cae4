import { useEffect, useState } from 'react'
import { DOG_TEXTS } from '#features/dogs/write/dog-fields.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

let withoutStreetNumber = (zone: string) => zone

/** Loads the rules, which weigh too much for every page. Without them the server alone removes the number. */
const loadZoneRules = (): Promise<void> =>
  import('#features/places/street-number.ts').then(
    (rules) => void (withoutStreetNumber = rules.withoutStreetNumber),
    () => {},
  )

/** The values with the street number removed from the zone, as the server stores it. */
export async function withoutStreetNumberInZone(values: FormValues): Promise<FormValues> {
  await loadZoneRules()
  return { ...values, zone: withoutStreetNumber(values.zone) }
}

/** Removes the street number from the zone when the field is left; `zoneNote` says so until the zone changes. */
export function useZoneCleanup(values: FormValues, set: (change: Partial<FormValues>) => void) {
  const [cleanedZone, setCleanedZone] = useState<string>()
  useEffect(() => void loadZoneRules(), [])
  return {
    zoneNote: cleanedZone === values.zone ? DOG_TEXTS.zoneNumber : '',
    removeStreetNumber() {
      const zone = withoutStreetNumber(values.zone)
      if (zone === values.zone) return
      set({ zone })
      setCleanedZone(zone)
    },
  }
}

/**
 * The same note as a toast, where Enter submits the form before anybody has read the note. Imported on use: toasts need a
 * document, and the server renders this island too.
 */
export async function showZoneToast(): Promise<void> {
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: DOG_TEXTS.zoneNumber })
}
