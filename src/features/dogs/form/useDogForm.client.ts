import { useEffect, useRef, useState } from 'react'
import { localMemberId } from '#lib/local-member.client.ts'
import { clearDraft } from './draft.client.ts'
import { draftKey } from './draft.ts'
import { useTidyTexts } from './fields/useTidyTexts.client.ts'
import { EMPTY_VALUES, type FieldName, type FormValues, isTouched } from './form-values.ts'
import { type FormRequest, NEW_DOG_STATE, toStoredGalleryPhoto } from './initial-state.client.ts'
import { hasGalleryChanged, sendablePhotos } from './photos/gallery.ts'
import { takeSharedPhotos } from './photos/shared-photos.client.ts'
import { usePhotos } from './photos/usePhotos.client.ts'
import type { FormMode } from './save/save-outcome.ts'
import { useSubmit } from './save/useSubmit.client.ts'
import { useDraft } from './useDraft.client.ts'
import { useFormStart } from './useFormStart.client.ts'
import { clearErrors, type FormErrors, typingErrors } from './validate.ts'

export type Phase = 'loading' | 'editing' | 'saving' | 'saved' | 'unavailable'

/** The state and actions of the dialog; the components only render it. */
export function useDogForm({ dogId, queuedId, breed, zone, isDiscovery }: FormRequest, close: () => void) {
  const mode: FormMode = dogId === null ? 'add' : 'edit'
  const [phase, setPhase] = useState<Phase>('loading')
  const [values, setValues] = useState<FormValues>(EMPTY_VALUES)
  const { errors, setErrors, focusField } = useErrors(phase)
  const [isRecovered, setRecovered] = useState(false)
  const [base, setBase] = useState(NEW_DOG_STATE)
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
      const given: Partial<FormValues> = state.isRecovered
        ? {}
        : { ...(zone && { zone }), ...(isDiscovery && { relationship: 'discoverer' }) }
      setBase({ ...state.base, values: { ...state.base.values, ...given } })
      setValues({ ...state.values, ...given, ...(breed && { breed }) })
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
    const changed = Object.keys(change) as (keyof FormValues)[]
    const wrong = typingErrors(changed, { ...values, ...change }, base.values)
    setErrors((before) => ({ ...clearErrors(before, changed), ...wrong }))
  }
  const tidying = useTidyTexts(values, set)
  const submission = useSubmit({
    dogId,
    queuedId,
    draft,
    phase,
    values,
    base,
    isGalleryChanged,
    gallery,
    session,
    setPhase,
    setErrors,
    focusField,
    tidyField: tidying.tidyField,
    close,
  })

  return {
    mode,
    phase,
    values,
    set,
    errors,
    names,
    ...tidying,
    ...submission,
    isUnsaved,
    /** False when closing now would lose input. */
    isSafeToClose: !isUnsaved || (queuedId === null && isTextStored && gallery.isDraftStored),
    isRecovered: isRecovered && isDirty,
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
