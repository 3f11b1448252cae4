import { useEffect, useState, useSyncExternalStore } from 'react'
import { isDetectionAvailable } from '#features/detection/availability.client.ts'
import { type DetectionState, hasPersonChosen, isListed, otherBreeds } from './detection-state.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

interface DetectingForm {
  phase: string
  values: FormValues
  /** The picker's names; null while they load. */
  names: readonly string[] | null
  /** The person is asked which breed it is. */
  isAsking: boolean
  set: (change: Partial<FormValues>) => void
}

/**
 * Detects the breed in the first photo, where the site offers that and the device is online. One request per photo: its
 * outcome is cached however the photos are reordered, and a request is aborted when its photo is no longer the first. A
 * listed breed is chosen in the form once, unless the person has chosen one.
 * @param photo the first photo, once it is compressed and only when it is new (docs/product.md §11.3)
 */
export function useDetection(photo: File | null, { phase, values, names, isAsking, set }: DetectingForm) {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const [outcomes] = useState(() => new WeakMap<File, DetectionState>())
  const [applied] = useState(() => new WeakSet<File>())
  const [shown, setShown] = useState<{ photo: File; outcome: DetectionState } | null>(null)
  const [retries, setRetries] = useState(0)
  const [isAvailable, setAvailable] = useState(false)
  /** The breed that the detection chose in the form; '' for none. */
  const [own, setOwn] = useState('')

  useEffect(() => {
    if (!photo || !isOnline) return
    const controller = new AbortController()
    const { signal } = controller
    const show = (outcome: DetectionState) => signal.aborted || setShown({ photo, outcome })
    const run = async () => {
      if (!(await isDetectionAvailable()) || signal.aborted) return
      setAvailable(true)
      if (!outcomes.has(photo)) {
        show({ state: 'analysing' })
        const outcome = await loadAndRequest(photo, signal)
        if (signal.aborted) return
        if (outcome !== 'unreachable') outcomes.set(photo, outcome)
      }
      show(outcomes.get(photo) ?? null)
    }
    void run()
    return () => controller.abort()
  }, [photo, isOnline, retries, outcomes])

  const outcome = shown && shown.photo === photo && (isOnline || outcomes.has(shown.photo)) ? shown.outcome : null
  // A breed chosen by hand replaces the detection's.
  if (own !== '' && values.breed !== own) setOwn('')
  const breed = outcome?.state === 'detected' ? outcome.breed : null
  const listed = breed !== null && names !== null && isListed(breed, names)

  useEffect(() => {
    if (phase !== 'editing' || !photo || breed === null || names === null || applied.has(photo)) return
    applied.add(photo)
    // A focused field means that the person is choosing, as the question does.
    if (!listed || isAsking || hasPersonChosen(values, own) || document.activeElement?.id === 'df-breed') return
    set({ breed })
    queueMicrotask(() => setOwn(breed))
  }, [phase, photo, breed, names, listed, applied, values, own, isAsking, set])

  const others = otherBreeds(outcome, names)
  return {
    /** The site has a detection, and there was a photo for it. */
    isAvailable,
    outcome,
    /** The breed picker offers it. */
    isListed: listed,
    /** False until the picker's names have loaded. */
    hasNames: names !== null,
    /** The form has it. */
    isChosen: breed !== null && values.breed === breed,
    /** The detection chose it. */
    isOwn: breed !== null && values.breed === breed && own === breed,
    /** The other breeds that the photo may show, and the one of the form. */
    others,
    /** All of them that the picker offers, best first. */
    offered: [...(listed ? [breed!] : []), ...others.map((other) => other.breed)],
    chosen: values.breed,
    chooseOther(other: string) {
      set({ breed: other })
      setOwn('')
    },
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
      setRetries((count) => count + 1)
    },
  }
}

/** Code that most visits do not need: a site without detection, a form without a new photo. */
async function loadAndRequest(photo: File, signal: AbortSignal): Promise<DetectionState | 'unreachable'> {
  const request = await import('./request-detection.client.ts').catch(() => null)
  return request ? request.requestDetection(photo, signal) : 'unreachable'
}

function subscribeToConnection(onChange: () => void) {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}
