import { useEffect, useState, useSyncExternalStore } from 'react'
import { explainError } from '#lib/error-text.ts'
import { localMemberId } from '#lib/local-member.client.ts'
import { clearDraft, draftKey, saveDraft } from './draft.client.ts'
import { loadZoneRules, tidyNote, tidyText } from './fields/tidy-texts.client.ts'
import { fetchBreedNames } from './form-api.client.ts'
import { loadFormStart } from './form-start.client.ts'
import {
  emptyFormState,
  type FormAction,
  formReducer,
  type FormRequest,
  type FormState,
  isDirty,
  isSafeToClose,
  isUnsaved,
  TIDY_FIELDS,
  type TidyField,
} from './form-state.ts'
import type { FormValues } from './form-values.ts'
import { createPhotoActions } from './photos/photo-actions.client.ts'
import { takeSharedPhotos } from './photos/given-files.client.ts'
import type { OpenedQueuedDog } from './save/queued-dog.client.ts'
import { createSubmit } from './save/submit.client.ts'

/** The form as its actions see it: its state, and what it knows of its opening and never shows. */
export interface FormStore {
  get: () => FormState
  dispatch: (action: FormAction) => void
  put: (state: Partial<FormState>) => void
  /** The draft's storage key. */
  draft: string
  session: {
    /** On the clock of `performance.now()`, ms. */
    openedAt: number
    /** Who opened the form; null for a visitor. */
    member: string | null
    queued: OpenedQueuedDog | undefined
  }
}

/** One dialog's form: its state in one store, and the actions of a person. */
function createDogForm(request: FormRequest, close: () => void) {
  const { dogId, queuedId } = request
  let state = emptyFormState(request)
  const listeners = new Set<() => void>()
  const member = localMemberId()
  // Photos added to a queued dog get a draft of their own, deleted when the form closes.
  const draft = draftKey(queuedId === null ? dogId : `cola-${queuedId}`, member)
  /** Whether this form has stored a draft, which it must clear once nothing differs from the stored dog. */
  let hasDraft = false
  let isClosed = false

  function dispatch(action: FormAction): void {
    const after = formReducer(state, action)
    state = isDraftDue(state, after) ? { ...after, isTextStored: storeDraft(after) } : after
    for (const notify of listeners) notify()
  }
  const isDraftDue = (before: FormState, after: FormState) =>
    !isClosed &&
    queuedId === null &&
    after.phase === 'editing' &&
    (after.phase !== before.phase || after.values !== before.values || after.photos !== before.photos)
  function storeDraft(after: FormState): boolean {
    if (isDirty(after)) {
      hasDraft = true
      return saveDraft(draft, after.values, after.photos)
    }
    // Another form's draft stays.
    if (hasDraft) void clearDraft(draft)
    hasDraft = false
    return true
  }

  const form: FormStore = {
    get: () => state,
    dispatch,
    put: (some) => dispatch({ type: 'put', state: some }),
    draft,
    session: { openedAt: 0, member, queued: undefined },
  }
  const set = (values: Partial<FormValues>, isDetected = false) => dispatch({ type: 'change', values, isDetected })

  /** Tidies a text when its field is left. @returns what to say of it; '' where it stays as it was typed */
  function tidyField(field: TidyField): string {
    const typed = form.get().values[field]
    const text = tidyText(field, typed)
    if (text === typed) return ''
    const note = tidyNote(field, typed, text)
    set({ [field]: text })
    form.put({ tidied: { ...form.get().tidied, [field]: { text, note } } })
    return note
  }
  const gallery = createPhotoActions(form)
  async function tidyTexts(): Promise<string> {
    await loadZoneRules()
    return TIDY_FIELDS.map(tidyField).find(Boolean) ?? ''
  }

  async function load(): Promise<void> {
    const { session } = form
    const { start, queued } = await loadFormStart(request, member)
    if (isClosed) return queued?.release()
    session.queued = queued
    if (queued) session.member = queued.dog.member
    form.put({ ...start, phase: 'editing' })
    // Photos that another app shared with Perrario join the draft.
    if (dogId === null && queuedId === null) gallery.add(await takeSharedPhotos())
  }

  return {
    get: form.get,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set,
    tidyField,
    gallery,
    ...createSubmit(form, { tidyTexts, gallery, close }),
    discard: () => dispatch({ type: 'discard' }),
    /** Loads what the form shows. @returns ends the form */
    open() {
      form.session.openedAt = performance.now()
      const fail = (error: unknown) => form.put({ errors: { form: explainError(error) }, phase: 'unavailable' })
      load().catch((error: unknown) => isClosed || fail(error))
      void fetchBreedNames().then((names) => isClosed || form.put({ names }))
      void loadZoneRules()
      return () => {
        isClosed = true
        gallery.end()
        form.session.queued?.release()
        if (queuedId === null) return
        // Added photos go with the form. The dog may be sent again, or was replaced.
        void clearDraft(draft)
        window.dispatchEvent(new Event('perrario:queue-changed'))
      }
    },
  }
}

/** The state and actions of the dialog; the components only render it. */
export function useDogForm(request: FormRequest, close: () => void) {
  const [{ get, subscribe, open, ...actions }] = useState(() => createDogForm(request, close))
  const state = useSyncExternalStore(subscribe, get)
  // Another dog gets a new dialog (its key), never a new request here.
  useEffect(open, [open])
  const noteOf = (field: TidyField) => {
    const { text, note } = state.tidied[field] ?? {}
    return text === state.values[field] ? note : undefined
  }
  return {
    ...actions,
    ...state,
    mode: request.dogId === null ? ('add' as const) : ('edit' as const),
    notes: { name: noteOf('name'), zone: noteOf('zone') },
    isUnsaved: isUnsaved(state),
    isSafeToClose: isSafeToClose(state),
    isRecovered: state.isRecovered && isDirty(state),
  }
}
export type DogFormView = ReturnType<typeof useDogForm>
