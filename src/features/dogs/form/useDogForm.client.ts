import { useEffect, useRef, useState } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { paths } from '#lib/paths.ts'
import type { Dog } from '../dogs.ts'
import {
  loadInitialState,
  toDraftPhotos,
  toStoredGalleryPhoto,
  NEW_DOG_STATE,
  toGalleryPhotos,
} from './initial-state.client.ts'
import { clearDraft, loadDraft, saveDraft } from './draft.client.ts'
import { hasGalleryChanged, sendablePhotos } from './photos/gallery.ts'
import { randomId } from '#lib/uuid.ts'
import { localMemberId } from '#features/dogs/queue/enqueue.client.ts'
import { QUEUE_TEXTS } from '../queue/queue.ts'
import {
  CLOSE_DELAY_MS,
  saveErrorText,
  type FormMode,
  QUEUED_CLOSE_DELAY_MS,
  savedText,
  skippedText,
  VISITOR_CLOSE_DELAY_MS,
} from './save/save-outcome.ts'
import { type OpenedQueuedDog, openQueuedDog, queueUnsentDog, completeQueuedDog } from './save/queued-dog.client.ts'
import { dispatchDogSaved, storePendingDog } from './save/saved-dog.client.ts'
import { sendNewDog, saveEdits } from './save/save-dog.client.ts'
import { takeSharedPhotos } from './photos/shared-photos.client.ts'
import { fetchBreedNames } from './form-api.client.ts'
import { usePhotos } from './photos/usePhotos.client.ts'
import { showZoneToast, withoutStreetNumberInZone, useZoneCleanup } from './fields/useZoneCleanup.client.ts'
import { fieldErrors, firstInvalidField, type FormErrors, validate } from './validate.ts'
import { EMPTY_VALUES, MIN_FILL_TIME_MS, type FieldName, type FormValues, isTouched } from './form-values.ts'

/** `dogId` null: a new dog. `queuedId`: one that waits on this device to be sent. */
export interface FormRequest {
  dogId: string | null
  queuedId: string | null
}
export type Phase = 'loading' | 'editing' | 'saving' | 'saved' | 'unavailable'

/** Everything the dialog knows and does; the components only draw it. */
export function useDogForm({ dogId, queuedId }: FormRequest, close: () => void) {
  const mode: FormMode = dogId === null ? 'add' : 'edit'
  const [phase, setPhase] = useState<Phase>('loading')
  const [values, setValues] = useState<FormValues>(EMPTY_VALUES)
  const [names, setNames] = useState<readonly string[] | null>(null)
  const [errors, setErrors] = useState<FormErrors>({})
  const [isSignedOut, setSignedOut] = useState(false)
  const [isRecovered, setRecovered] = useState(false)
  const [isTextKept, setTextKept] = useState(true)
  const [message, setMessage] = useState('')
  const [progress, setProgress] = useState(0)
  const [isQueued, setQueued] = useState(false)
  const [base, setBase] = useState(NEW_DOG_STATE)
  const openedAt = useRef(0)
  /** One key for the whole session of the form: however often it is sent, it makes one dog. */
  const key = useRef(queuedId ?? randomId())
  /** `phase` is only as fresh as the last render; two presses may come before the next. */
  const isSending = useRef(false)
  /** Whether this form has kept a draft that emptying it must forget. */
  const hasKept = useRef(false)
  /** The field that gets the focus next. */
  const wanted = useRef<FieldName | 'mix'>(undefined)
  /** The waiting dog that is being edited, and its photos as they were. */
  const queued = useRef<OpenedQueuedDog>(undefined)
  // A waiting dog is kept already, as it was: changes to it are not a draft, but asked about before they are lost.
  const draftId = queuedId === null ? dogId : `cola-${queuedId}`
  const gallery = usePhotos(draftId)
  const { photos, set: setPhotos, add: addPhotos } = gallery

  const isGalleryChanged = hasGalleryChanged(queuedId === null ? sendablePhotos(photos) : photos, base.photos)
  const isDirty = isTouched(values, base.values) || isGalleryChanged
  const isUnsaved = (phase === 'editing' || phase === 'saving') && isDirty

  useEffect(() => {
    openedAt.current = performance.now()
    let isGone = false
    const startQueued = async (id: string) => {
      const opened = await openQueuedDog(id)
      if (isGone) return opened.release()
      queued.current = opened
      setBase({ values: opened.dog.values, photos: opened.photos })
      setValues(opened.values)
      setPhotos(opened.photos)
      setErrors(opened.errors)
      setPhase('editing')
    }
    const start = async () => {
      if (queuedId !== null) return startQueued(queuedId)
      const [draft, stored] = await Promise.all([
        loadDraft(dogId),
        dogId === null ? NEW_DOG_STATE : loadInitialState(dogId),
      ])
      if (isGone) return
      setBase(stored)
      setValues(draft?.values ?? stored.values)
      setPhotos(draft ? toGalleryPhotos(draft) : stored.photos.map(toStoredGalleryPhoto))
      setRecovered(draft !== null)
      setPhase('editing')
      // What another app shared with Perrario joins whatever was begun here.
      if (dogId === null) addPhotos(await takeSharedPhotos())
    }
    start().catch((error: Error) => {
      if (isGone) return
      setErrors({ form: error.message })
      setPhase('unavailable')
    })
    void fetchBreedNames().then((list) => isGone || setNames(list))
    return () => {
      isGone = true
      queued.current?.release()
      if (queuedId === null) return
      // Photos that were tried out go; it may be sent again, or is another now.
      void clearDraft(`cola-${queuedId}`)
      window.dispatchEvent(new Event('perrario:queue-changed'))
    }
    // A form is for one dog: the dialog is made anew for another.
  }, [dogId, queuedId, setPhotos, addPhotos])

  useEffect(() => {
    if (phase !== 'editing' || queuedId !== null) return
    if (!isDirty) {
      // Only what this form kept: an effect of an earlier picture may run when the first photo is on the disk already.
      if (hasKept.current) void clearDraft(dogId)
      hasKept.current = false
      return
    }
    hasKept.current = true
    const wasKept = saveDraft(dogId, { values, photos: toDraftPhotos(photos), savedAt: Date.now() })
    queueMicrotask(() => setTextKept(wasKept))
  }, [dogId, queuedId, phase, values, photos, isDirty])

  // Once the error is drawn and the fields are no longer inert, so that both are read out together.
  useEffect(() => {
    if (phase !== 'editing' || !wanted.current) return
    document.getElementById(`df-${wanted.current}`)?.focus()
    wanted.current = undefined
  }, [phase, errors])

  const set = (change: Partial<FormValues>) => {
    setValues((before) => ({ ...before, ...change }))
    forget(...(Object.keys(change) as (keyof FormValues)[]))
  }
  const forget = (...keys: (keyof FormValues | 'images')[]) =>
    setErrors((before) => {
      const after = { ...before }
      for (const key of keys) delete after[key === 'mix' ? 'breed' : key === 'age_unit' ? 'age' : key]
      return after
    })
  const { zoneNote, removeStreetNumber } = useZoneCleanup(values, set)

  function show(wrong: FormErrors) {
    isSending.current = false
    setErrors(wrong)
    setPhase('editing')
    const first = firstInvalidField(wrong)
    wanted.current = first === 'breed' && values.breed === MIXED_BREED ? 'mix' : first
  }

  /**
   * @param trap what stands in the field that nobody sees
   */
  async function submit(trap: string) {
    if (phase !== 'editing' || isSending.current) return
    // By Enter the field is not left.
    const sent = withoutStreetNumberInZone(values)
    removeStreetNumber()
    const stored = dogId === null ? undefined : base.values
    const wrong = validate(sent, gallery.current(), stored)
    if (firstInvalidField(wrong)) return show(wrong)
    setErrors({})
    setSignedOut(false)
    setProgress(0)
    setPhase('saving')
    isSending.current = true
    const [openFor] = await Promise.all([dogId === null ? waitForMinFillTime(openedAt.current) : 0, gallery.settled()])
    const ready = sendablePhotos(gallery.current())
    if (ready.length === 0) return show(validate(sent, gallery.current(), stored))

    const outcome =
      dogId === null
        ? await sendNewDog(sent, ready, key.current, { honeypot: trap, fillTimeMs: openFor }, setProgress)
        : await saveEdits(
            dogId,
            { values: sent, before: base.values },
            { photos: ready, isChanged: hasGalleryChanged(ready, base.photos) },
            setProgress,
          )
    const waiting = queued.current?.dog ?? null
    const hasOtherPhotos = waiting !== null && (waiting.hasOtherPhotos || isGalleryChanged)
    if (outcome.kind === 'saved') {
      if (zoneNote || sent.zone !== values.zone) void showZoneToast()
      if (waiting) await completeQueuedDog({ ...waiting, values: sent, hasOtherPhotos }, ready, outcome)
      return finish(outcome.dog, outcome.skipped, outcome.token)
    }
    if (dogId === null && outcome.kind === 'broken') {
      const unkept = await queueUnsentDog(key.current, sent, ready, waiting, hasOtherPhotos)
      return unkept === undefined ? finishLater() : show({ form: unkept })
    }
    setSignedOut(outcome.kind === 'refused' && outcome.status === 401)
    const mine = outcome.kind === 'refused' ? fieldErrors(outcome.errors) : {}
    show({ ...mine, form: saveErrorText(mode, outcome) })
  }

  /** Without network: the dog waits on the device. */
  function finishLater() {
    setPhase('saved')
    setQueued(true)
    setMessage(QUEUE_TEXTS.queued)
    void clearDraft(draftId)
    setTimeout(close, QUEUED_CLOSE_DELAY_MS)
  }

  function finish(dog: Dog, skipped: number, token: string | null) {
    setPhase('saved')
    setMessage(savedText(mode, token !== null, dog.waits))
    void clearDraft(draftId)
    if (token !== null) storePendingDog(dog, values.relationship, token)
    if (skipped > 0) void showSkippedToast(skipped)
    // What waits is on the profile of whoever it belongs to, and in no list.
    if (dog.waits) return void setTimeout(() => location.assign(paths.profile), QUEUED_CLOSE_DELAY_MS)
    dispatchDogSaved(dog, mode)
    setTimeout(
      () => (token === null ? close() : location.assign(paths.profile)),
      token === null ? CLOSE_DELAY_MS : VISITOR_CLOSE_DELAY_MS,
    )
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
    /** False when closing now would lose something. */
    isSafeToClose: !isUnsaved || (queuedId === null && isTextKept && gallery.isDraftStored),
    /** The dog was not sent, but is kept until it can be. */
    isQueued,
    isRecovered: isRecovered && isDirty,
    submit,
    gallery: {
      ...gallery,
      add: (files: Iterable<File>) => {
        forget('images')
        gallery.add(files)
      },
    },
    /** Throws the recovered draft away: the form is as it was before anything was typed. */
    discard() {
      void clearDraft(dogId)
      setValues(base.values)
      setPhotos(base.photos.map(toStoredGalleryPhoto))
      setErrors({})
      setRecovered(false)
    },
  }
}

/**
 * How long the form has been open, ms. What a visitor sends sooner than a person can, a recovered draft say, waits until they
 * can: the server would refuse it.
 */
async function waitForMinFillTime(openedAt: number): Promise<number> {
  const left = openedAt + MIN_FILL_TIME_MS - performance.now()
  // A little more: timers may be early.
  if (left > 0 && localMemberId() === null) await new Promise((done) => setTimeout(done, left + 20))
  return performance.now() - openedAt
}

/** Imported on use: toasts need a document, and the server renders this island too. */
async function showSkippedToast(count: number) {
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: skippedText(count), kind: 'error' })
}
