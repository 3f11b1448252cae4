import { type Dispatch, type RefObject, type SetStateAction, useRef, useState } from 'react'
import { randomId } from '#lib/identifiers.ts'
import { clearDraft } from '#features/dogs/form/draft.client.ts'
import { showNoteToast, tidyTexts, type useTidyTexts } from '#features/dogs/form/fields/useTidyTexts.client.ts'
import { type FormValues, MIN_FILL_TIME_MS } from '#features/dogs/form/form-values.ts'
import type { FormRequest, InitialState } from '#features/dogs/form/initial-state.client.ts'
import { sendablePhotos } from '#features/dogs/form/photos/gallery.ts'
import type { usePhotos } from '#features/dogs/form/photos/usePhotos.client.ts'
import type { Phase } from '#features/dogs/form/useDogForm.client.ts'
import type { FormSession } from '#features/dogs/form/useFormStart.client.ts'
import { fieldToFocus, firstInvalidField, type FormErrors, validate } from '#features/dogs/form/validate.ts'
import { localMemberId } from '#lib/local-member.client.ts'
import { submitDog } from './submit-dog.client.ts'
import { useConfirmation } from './useConfirmation.client.ts'

const TIMER_TOLERANCE_MS = 20

interface SubmittedForm extends FormRequest {
  /** Key of the draft. */
  draft: string
  phase: Phase
  values: FormValues
  /** What is stored: the dog being edited, or an empty one. */
  base: InitialState
  isGalleryChanged: boolean
  gallery: ReturnType<typeof usePhotos>
  session: RefObject<FormSession>
  setPhase: Dispatch<SetStateAction<Phase>>
  setErrors: Dispatch<SetStateAction<FormErrors>>
  focusField: (field: ReturnType<typeof fieldToFocus>) => void
  tidyField: ReturnType<typeof useTidyTexts>['tidyField']
  close: () => void
}

/** Validates and saves the form, and confirms it. */
export function useSubmit(form: SubmittedForm) {
  const { dogId, queuedId, draft, phase, values, base, gallery, setPhase, setErrors } = form
  /** True while it is asked which breed the dog has, before it is saved. */
  const [isAsking, setAsking] = useState(false)
  const [isSignedOut, setSignedOut] = useState(false)
  const [progress, setProgress] = useState(0)
  /** One key per form: however often it is sent, it makes one dog. */
  const key = useRef(queuedId ?? randomId())
  /** What was tidied in the texts, until the dog is saved: the question for the breed comes between. */
  const note = useRef('')
  /** Set at once, while `phase` changes with the next render: a second press may come before it. */
  const isSending = useRef(false)
  const { confirmQueued, confirmSaved, ...confirmation } = useConfirmation(dogId === null ? 'add' : 'edit', form.close)

  function fail(errors: FormErrors) {
    isSending.current = false
    setErrors(errors)
    setPhase('editing')
    form.focusField(fieldToFocus(errors, values))
  }

  /** Shows the fields again, with the focus on the breed. */
  function stopAsking() {
    note.current = ''
    setAsking(false)
    setErrors({})
    form.focusField('breed')
  }

  /**
   * @param honeypot the value of the field that people do not see
   * @param answer the breed that was answered to the question; '' before it was asked
   */
  async function submit(honeypot: string, answer: string) {
    if (phase !== 'editing' || isSending.current) return
    isSending.current = true
    // Enter submits without leaving the field.
    const { tidied: sent, note: added } = await tidyTexts(answer ? { ...values, breed: answer } : values)
    note.current ||= added
    for (const field of ['name', 'zone'] as const) form.tidyField(field)
    const before = dogId === null ? undefined : base.values
    const invalid = validate(sent, gallery.current(), before)
    if (firstInvalidField(invalid)) return fail(invalid)
    setErrors({})
    setAsking(sent.breed === '')
    if (sent.breed === '') {
      isSending.current = false
      return
    }
    setSignedOut(false)
    setProgress(0)
    setPhase('saving')
    const { openedAt, member, queued } = form.session.current
    const fillTime = dogId === null ? waitForMinFillTime(openedAt) : 0
    const [fillTimeMs] = await Promise.all([fillTime, gallery.whenPrepared()])
    const photos = sendablePhotos(gallery.current())
    if (photos.length === 0) return fail(validate(sent, gallery.current(), before))

    const result = await submitDog({
      dogId,
      key: key.current,
      member,
      values: sent,
      photos,
      base,
      queued: queued ? { dog: queued.dog, isGalleryChanged: form.isGalleryChanged } : null,
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
    if (note.current) void showNoteToast(note.current)
    confirmSaved(result, values.relationship)
  }

  return { ...confirmation, isSignedOut, progress, submit, isAsking, stopAsking }
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
