import { useState } from 'react'
import { withoutStreetNumber } from '#features/places/street-number.ts'
import { DOG_TEXTS } from '#features/dogs/write/dog-input.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

export const withoutDoorNumber = (values: FormValues): FormValues => ({
  ...values,
  zone: withoutStreetNumber(values.zone),
})

/** Takes the number of a door off the zone, as the server does, and says so while the zone stands as it was left. */
export function useTidyZone(values: FormValues, set: (change: Partial<FormValues>) => void) {
  const [zone, setZone] = useState<string>()
  return {
    zoneNote: zone === values.zone ? DOG_TEXTS.zoneNumber : '',
    tidyZone() {
      const { zone } = withoutDoorNumber(values)
      if (zone === values.zone) return
      set({ zone })
      setZone(zone)
    },
  }
}

/** A word that outlives the form. Imported on use: toasts need a document, and the server renders this island too. */
export async function showZoneToast(): Promise<void> {
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: DOG_TEXTS.zoneNumber })
}
