import { useEffect, useState, useSyncExternalStore } from 'react'
import { isDetectionAvailable } from '#features/detection/availability.client.ts'
import type { DogFormView } from '#features/dogs/form/dog-form.client.ts'
import { type DetectionState, hasPersonChosen, isListed, otherBreeds } from './state.ts'

/**
 * Detects the breed in the form's first photo, once it is compressed and only when it is new (docs/product.md §11.3), where the site
 * offers that and the device is online. One request per photo: its outcome is cached however the photos are reordered, and a
 * request is aborted when its photo is no longer the first. A listed breed is chosen in the form once, unless the person has
 * chosen one.
 */
export function useDetection({ phase, photos, values, names, isAsking, detectedBreed, set }: DogFormView) {
  const photo = photos[0]?.file ?? null
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  const [outcomes] = useState(() => new WeakMap<File, DetectionState>())
  const [applied] = useState(() => new WeakSet<File>())
  const [shown, setShown] = useState<{ photo: File; outcome: DetectionState } | null>(null)
  const [retries, setRetries] = useState(0)
  const [isAvailable, setAvailable] = useState(false)

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
  const breed = outcome?.state === 'detected' ? outcome.breed : null
  const listed = breed !== null && names !== null && isListed(breed, names)

  useEffect(() => {
    if (phase !== 'editing' || !photo || breed === null || names === null || applied.has(photo)) return
    applied.add(photo)
    // A focused field means that the person is choosing, as the question does.
    if (!listed || isAsking || hasPersonChosen(values, detectedBreed) || document.activeElement?.id === 'df-breed')
      return
    set({ breed }, true)
  }, [phase, photo, breed, names, listed, applied, values, detectedBreed, isAsking, set])

  const others = otherBreeds(outcome, names)
  return {
    /** The site has a detection, and there was a photo for it. */
    isAvailable,
    outcome,
    /** The detected breed, or null. */
    breed,
    /** The breed picker offers it. */
    isListed: listed,
    /** False until the picker's names have loaded. */
    hasNames: names !== null,
    /** The form has it. */
    isChosen: breed !== null && values.breed === breed,
    /** The detection chose it. */
    isOwn: breed !== null && values.breed === breed && detectedBreed === breed,
    /** The other breeds that the photo may show, and the one of the form. */
    others,
    /** All of them that the picker offers, best first. */
    offered: [...(listed ? [breed!] : []), ...others.map((other) => other.breed)],
    chosen: values.breed,
    chooseOther: (other: string) => set({ breed: other }),
    choose: () => breed !== null && set({ breed }, true),
    undo: () => set({ breed: '' }),
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
