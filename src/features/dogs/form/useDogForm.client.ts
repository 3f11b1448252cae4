import { useEffect, useRef, useState } from 'react'
import { randomId } from '#lib/identifiers.ts'
import { localMemberId } from '#features/dogs/queue/enqueue.client.ts'
import { clearDraft } from './draft.client.ts'
import { draftKey } from './draft.ts'
import { showZoneToast, useZoneCleanup, withoutStreetNumberInZone } from './fields/useZoneCleanup.client.ts'
import { EMPTY_VALUES, type FieldName, type FormValues, isTouched, MIN_FILL_TIME_MS } from './form-values.ts'
import { type FormRequest, NEW_DOG_STATE, toStoredGalleryPhoto } from './initial-state.client.ts'
import { hasGalleryChanged, sendablePhotos } from './photos/gallery.ts'
import { takeSharedPhotos } from './photos/shared-photos.client.ts'
import { usePhotos } from './photos/usePhotos.client.ts'
import type { FormMode } from './save/save-outcome.ts'
import { submitDog } from './save/submit-dog.client.ts'
import { useConfirmation } from './save/useConfirmation.client.ts'
import { useDraft } from './useDraft.client.ts'
import { useFormStart } from './useFormStart.client.ts'
import { clearErrors, fieldToFocus, firstInvalidField, type FormErrors, validate } from './validate.ts'

export type Phase = 'loading' | 'editing' | 'saving' | 'saved' | 'unavailable'

const TIMER_TOLERANCE_MS = 20

/** The state and actions of the dialog; the components only render it. */
export function useDogForm({ dogId, queuedId }: FormRequest, close: () => void) {
  const mode: FormMode = dogId === null ? 'add' : 'edit'
  const [phase, setPhase] = useState<Phase>('loading')
  const [values, setValues] = useState<FormValues>(EMPTY_VALUES)
  const { errors, setErrors, focusField } = useErrors(phase)
  const [isSignedOut, setSignedOut] = useState(false)
  const [isRecovered, setRecovered] = useState(false)
  const [progress, setProgress] = useState(0)
  const [base, setBase] = useState(NEW_DOG_STATE)
  /** One key per form: however often it is sent, it makes one dog. */
  const key = useRef(queuedId ?? randomId())
  /** Set at once, while `phase` changes with the next render: a second press may come before it. */
  const isSending = useRef(false)
  // The queue stores the queued dog itself. Photos added to it get a draft of their own, deleted when the form closes.
  const [draft] = useState(() => draftKey(queuedId === null ? dogId : `cola-${queuedId}`, localMemberId()))
  const gallery = usePhotos(draft)
  const { photos, set: setPhotos, add: addPhotos } = gallery

  const isGalleryChanged = hasGalleryChanged(queuedId === null ? sendablePhotos(photos) : photos, base.photos)
  const isDirty = isTouched(values, base.values) || isGalleryChanged
  const isUnsaved = (phase === 'editing' || phase === 'saving') && isDirty
  const isTextStored = useDraft({ draft, isEnabled: phase === 'editing' && queuedId === null, values, photos, isDirty })

  const { session, names } = useFormStart(
    { dogId, queuedId, draft },
    async (state) => {
      setBase(state.base)
      setValues(state.values)
      setPhotos(state.photos)
      setErrors(state.errors)
      setRecovered(state.isRecovered)
      setPhase('editing')
      // Photos that another app shared with Perrario join the draft.
      if (dogId === null && queuedId === null) addPhotos(await takeSharedPhotos())
    },
    (form) => {
      setErrors({ form })
      setPhase('unavailable')
    },
  )

  const set = (change: Partial<FormValues>) => {
    setValues((before) => ({ ...before, ...change }))
    setErrors((before) => clearErrors(before, Object.keys(change) as (keyof FormValues)[]))
  }
  const { message, isQueued, confirmQueued, confirmSaved } = useConfirmation(mode, close)
  const { zoneNote, removeStreetNumber } = useZoneCleanup(values, set)

  function fail(formErrors: FormErrors) {
    isSending.current = false
    setErrors(formErrors)
    setPhase('editing')
    focusField(fieldToFocus(formErrors, values))
  }

  /** Validates and saves the form. @param honeypot the value of the field that people do not see */
  async function submit(honeypot: string) {
    if (phase !== 'editing' || isSending.current) return
    isSending.current = true
    // Enter submits without leaving the field.
    const sent = await withoutStreetNumberInZone(values)
    removeStreetNumber()
    const before = dogId === null ? undefined : base.values
    const invalid = validate(sent, gallery.current(), before)
    if (firstInvalidField(invalid)) return fail(invalid)
    setErrors({})
    setSignedOut(false)
    setProgress(0)
    setPhase('saving')
    const { openedAt, member, queued } = session.current
    const fillTime = dogId === null ? waitForMinFillTime(openedAt) : 0
    const [fillTimeMs] = await Promise.all([fillTime, gallery.settled()])
    const ready = sendablePhotos(gallery.current())
    if (ready.length === 0) return fail(validate(sent, gallery.current(), before))

    const result = await submitDog({
      dogId,
      key: key.current,
      member,
      values: sent,
      photos: ready,
      base,
      queued: queued ? { dog: queued.dog, isGalleryChanged } : null,
      botSignals: { honeypot, fillTimeMs },
      onProgress: setProgress,
    })
    if (result.kind === 'failed') {
      setSignedOut(result.isSignedOut)
      if (result.isSignedOut) gallery.storeAgain()
      return fail(result.errors)
    }
    setPhase('saved')
    void clearDraft(draft)
    if (result.kind === 'queued') return confirmQueued()
    if (sent.zone !== values.zone) void showZoneToast()
    confirmSaved(result, values.relationship)
  }

  return {
    mode,
    phase,
    values,
    set,
    errors,
    names,
    message,
    progress,
    zoneNote,
    removeStreetNumber,
    isSignedOut,
    isUnsaved,
    /** False when closing now would lose input. */
    isSafeToClose: !isUnsaved || (queuedId === null && isTextStored && gallery.isDraftStored),
    /** The dog was not sent, but is queued on the device. */
    isQueued,
    isRecovered: isRecovered && isDirty,
    submit,
    gallery: {
      ...gallery,
      add: (files: Iterable<File>) => {
        setErrors((before) => clearErrors(before, ['images']))
        gallery.add(files)
      },
    },
    /** Discards the recovered draft: the form shows the stored or empty dog. */
    discard() {
      void clearDraft(draft)
      setValues(base.values)
      setPhotos(base.photos.map(toStoredGalleryPhoto))
      setErrors({})
      setRecovered(false)
    },
  }
}

/** The form's errors. `focusField` moves the focus after the next render, so that field and error are announced together. */
function useErrors(phase: Phase) {
  const [errors, setErrors] = useState<FormErrors>({})
  const nextFocus = useRef<FieldName | 'mix'>(undefined)
  // The fields are inert until the phase is `editing`.
  useEffect(() => {
    if (phase !== 'editing' || !nextFocus.current) return
    document.getElementById(`df-${nextFocus.current}`)?.focus()
    nextFocus.current = undefined
  }, [phase, errors])
  const focusField = (field: FieldName | 'mix' | undefined) => {
    nextFocus.current = field
  }
  return { errors, setErrors, focusField }
}

/**
 * Delays a visitor's send until MIN_FILL_TIME_MS after opening, since the server would refuse it: a recovered draft may be sent
 * at once.
 * @returns how long the form has been open, ms
 */
async function waitForMinFillTime(openedAt: number): Promise<number> {
  const remainingMs = openedAt + MIN_FILL_TIME_MS - performance.now()
  // Timers may fire early.
  if (remainingMs > 0 && localMemberId() === null)
    await new Promise((resolve) => setTimeout(resolve, remainingMs + TIMER_TOLERANCE_MS))
  return performance.now() - openedAt
}
