import { useEffect, useState, useSyncExternalStore } from 'react'
import { detectBreed, isDetectionAvailable, DetectionUnavailable } from '#features/detection/detection.client.ts'
import { type DetectionState, hasPersonChosen, isListed, toDetectionState } from './detection-state.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

interface DetectingForm {
  phase: string
  values: FormValues
  /** The picker's names; null while they load. */
  names: readonly string[] | null
  set: (change: Partial<FormValues>) => void
}

/**
 * Asks which breed the first photo shows, where the site offers that and the device is online. One call a photo: its
 * outcome stays with it however the photos are reordered, and a photo that is no longer the first ends its call. A
 * breed of the list goes into the form by itself, once, unless the person has chosen one.
 * @param photo the first photo, once it is compressed and only when it is new (docs/product.md §11.3)
 */
export function useDetection(photo: File | null, { phase, values, names, set }: DetectingForm) {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const [outcomes] = useState(() => new WeakMap<File, DetectionState>())
  const [applied] = useState(() => new WeakSet<File>())
  const [shown, setShown] = useState<{ photo: File; detection: DetectionState } | null>(null)
  const [tries, setTries] = useState(0)
  /** The breed that the detection put into the field; '' for none. */
  const [own, setOwn] = useState('')

  useEffect(() => {
    if (!photo || !isOnline) return
    const controller = new AbortController()
    const { signal } = controller
    const show = (detection: DetectionState) => signal.aborted || setShown({ photo, detection })
    const run = async () => {
      if (!(await isDetectionAvailable()) || signal.aborted) return
      if (!outcomes.has(photo)) {
        show({ state: 'analysing' })
        const outcome = await requestDetection(photo, signal)
        if (signal.aborted) return
        if (outcome !== 'unreachable') outcomes.set(photo, outcome)
      }
      show(outcomes.get(photo) ?? null)
    }
    void run()
    return () => controller.abort()
  }, [photo, isOnline, tries, outcomes])

  const detection = shown && shown.photo === photo && (isOnline || outcomes.has(shown.photo)) ? shown.detection : null
  // Chosen anew by hand is the person's, whatever the detection had put there before.
  if (own !== '' && values.breed !== own) setOwn('')
  const breed = detection?.state === 'detected' ? detection.breed : null
  const listed = breed !== null && names !== null && isListed(breed, names)

  useEffect(() => {
    if (phase !== 'editing' || !photo || breed === null || names === null || applied.has(photo)) return
    applied.add(photo)
    // Who is at the field is about to choose.
    if (!listed || hasPersonChosen(values, own) || document.activeElement?.id === 'df-breed') return
    set({ breed })
    queueMicrotask(() => setOwn(breed))
  }, [phase, photo, breed, names, listed, applied, values, own, set])

  return {
    detection,
    /** The picker has it, so that it can be chosen. */
    isListed: listed,
    /** False until the names are there to be looked at. */
    isKnown: names !== null,
    /** It stands in the form. */
    isChosen: breed !== null && values.breed === breed,
    /** The detection put it there. */
    isOwn: breed !== null && values.breed === breed && own === breed,
    choose() {
      if (breed === null) return
      set({ breed })
      setOwn(breed)
    },
    undo() {
      set({ breed: '' })
      setOwn('')
    },
    retry() {
      if (photo) outcomes.delete(photo)
      setTries((count) => count + 1)
    },
  }
}

async function requestDetection(photo: File, signal: AbortSignal): Promise<DetectionState | 'unreachable'> {
  try {
    return toDetectionState(await detectBreed(photo, signal))
  } catch (error) {
    if (error instanceof DetectionUnavailable) return null
    // Asked again when the device is back online.
    if (!navigator.onLine) return 'unreachable'
    const { message } = error as Error
    return { state: 'failed', message: message.startsWith('Error') ? message : `Error: ${message}` }
  }
}

function subscribeToConnection(changed: () => void) {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
