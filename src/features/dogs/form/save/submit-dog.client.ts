import type { Dog } from '#features/dogs/dogs.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'
import type { InitialState } from '#features/dogs/form/initial-state.client.ts'
import { hasGalleryChanged, type Photo } from '#features/dogs/form/photos/gallery.ts'
import { fieldErrors, type FormErrors } from '#features/dogs/form/validate.ts'
import type { QueuedDog } from '#features/dogs/queue/queue.ts'
import { completeQueuedDog, queueUnsentDog } from './queued-dog.client.ts'
import { type BotSignals, saveEdits, sendNewDog } from './save-dog.client.ts'
import { type SaveOutcome, saveErrorText } from './save-outcome.ts'

export interface Submission {
  /** Null for a new dog. */
  dogId: string | null
  /** The Idempotency-Key of a new dog. */
  key: string
  /** Who opened the form; null for a visitor. */
  member: string | null
  values: FormValues
  photos: readonly Photo[]
  /** The stored dog being edited. */
  base: InitialState
  /** The queued dog being edited, and whether its photos have changed. */
  queued: { dog: QueuedDog; isGalleryChanged: boolean } | null
  botSignals: BotSignals
  onProgress: (share: number) => void
}

export type SubmitResult =
  | { kind: 'saved'; dog: Dog; skipped: number; token: string | null }
  /** Without network: the new dog is queued on the device. */
  | { kind: 'queued' }
  | { kind: 'failed'; errors: FormErrors; isSignedOut: boolean }

/** Sends a new dog or the changes of a stored one. A new dog that cannot be sent is queued. */
export async function submitDog(submission: Submission): Promise<SubmitResult> {
  const { dogId, key, member, values, photos, queued } = submission
  const outcome = await sendSubmission(submission)
  const hasOtherPhotos = queued !== null && (queued.dog.hasOtherPhotos || queued.isGalleryChanged)
  if (outcome.kind === 'saved') {
    if (queued) await completeQueuedDog({ ...queued.dog, values, hasOtherPhotos }, photos, outcome)
    return outcome
  }
  if (dogId === null && outcome.kind === 'broken') {
    const error = await queueUnsentDog(key, member, values, photos, queued?.dog ?? null, hasOtherPhotos)
    return error === undefined ? { kind: 'queued' } : { kind: 'failed', errors: { form: error }, isSignedOut: false }
  }
  return toFailure(dogId === null ? 'add' : 'edit', outcome)
}

function sendSubmission({ dogId, key, member, values, photos, base, botSignals, onProgress }: Submission) {
  if (dogId === null) return sendNewDog(values, photos, key, member, botSignals, onProgress)
  const gallery = { photos, isChanged: hasGalleryChanged(photos, base.photos) }
  return saveEdits(dogId, { values, before: base.values }, gallery, onProgress)
}

/** The form's state after a save that failed. */
export function toFailure(mode: 'add' | 'edit', outcome: Exclude<SaveOutcome, { kind: 'saved' }>): SubmitResult {
  const isRefused = outcome.kind === 'refused'
  const errors = isRefused ? fieldErrors(outcome.errors) : {}
  return {
    kind: 'failed',
    errors: { ...errors, form: saveErrorText(mode, outcome) },
    isSignedOut: isRefused && outcome.status === 401,
  }
}
