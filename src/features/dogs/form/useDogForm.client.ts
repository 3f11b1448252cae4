import { useEffect, useRef, useState } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { paths } from '#lib/paths.ts'
import type { Dog } from '../dogs.ts'
import { baseOf, draftOf, keptPhoto, NEW, photosOf } from './base.client.ts'
import { clearDraft, loadDraft, saveDraft } from './draft.client.ts'
import { galleryChanged, sendable } from './gallery.ts'
import { newId } from './id.ts'
import { LEAST_PACE } from '../pace.ts'
import { memberHere } from '../queue/keep.client.ts'
import { QUEUE_TEXTS } from '../queue/queue.ts'
import {
  CLOSE_AFTER,
  errorRow,
  type Mode,
  QUEUED_CLOSE_AFTER,
  savedText,
  skippedText,
  VISITOR_CLOSE_AFTER,
} from './outcome.ts'
import { rememberPending } from './pending.client.ts'
import { type OpenedQueued, openQueued, queueInstead, settleQueued } from './queued.client.ts'
import { announceSaved } from './saved.client.ts'
import { addDog, editDog } from './send.client.ts'
import { takeShared } from './shared.client.ts'
import { breedNames } from './source.client.ts'
import { usePhotos } from './usePhotos.client.ts'
import { tellZone, tidied, useTidyZone } from './useTidyZone.client.ts'
import { fieldErrors, firstWrong, type FormErrors, validate } from './validate.ts'
import { EMPTY, type FieldName, type FormValues, isTouched } from './values.ts'

/** `dogId` null: a new dog. `queuedId`: one that waits on this device to be sent. */
export interface FormRequest {
  dogId: string | null
  queuedId: string | null
}
export type Phase = 'loading' | 'editing' | 'saving' | 'saved' | 'unavailable'

/** Everything the dialog knows and does; the components only draw it. */
export function useDogForm({ dogId, queuedId }: FormRequest, close: () => void) {
  const mode: Mode = dogId === null ? 'add' : 'edit'
  const [phase, setPhase] = useState<Phase>('loading')
  const [values, setValues] = useState<FormValues>(EMPTY)
  const [names, setNames] = useState<readonly string[] | null>(null)
  const [errors, setErrors] = useState<FormErrors>({})
  const [isSignedOut, setSignedOut] = useState(false)
  const [isRecovered, setRecovered] = useState(false)
  const [isTextKept, setTextKept] = useState(true)
  const [message, setMessage] = useState('')
  const [progress, setProgress] = useState(0)
  const [isQueued, setQueued] = useState(false)
  const [base, setBase] = useState(NEW)
  const openedAt = useRef(0)
  /** One key for the whole session of the form: however often it is sent, it makes one dog. */
  const key = useRef(queuedId ?? newId())
  /** `phase` is only as fresh as the last render; two presses may come before the next. */
  const isSending = useRef(false)
  /** Whether this form has kept a draft that emptying it must forget. */
  const hasKept = useRef(false)
  /** The field that gets the focus next. */
  const wanted = useRef<FieldName | 'mix'>(undefined)
  /** The waiting dog that is being edited, and its photos as they were. */
  const queued = useRef<OpenedQueued>(undefined)
  // A waiting dog is kept already, as it was: changes to it are not a draft, but asked about before they are lost.
  const draftId = queuedId === null ? dogId : `cola-${queuedId}`
  const gallery = usePhotos(draftId)
  const { photos, set: setPhotos, add: addPhotos } = gallery

  const isGalleryChanged = galleryChanged(queuedId === null ? sendable(photos) : photos, base.photos)
  const isDirty = isTouched(values, base.values) || isGalleryChanged
  const isUnsaved = (phase === 'editing' || phase === 'saving') && isDirty

  useEffect(() => {
    openedAt.current = performance.now()
    let isGone = false
    const startQueued = async (id: string) => {
      const opened = await openQueued(id)
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
      const [draft, stored] = await Promise.all([loadDraft(dogId), dogId === null ? NEW : baseOf(dogId)])
      if (isGone) return
      setBase(stored)
      setValues(draft?.values ?? stored.values)
      setPhotos(draft ? photosOf(draft) : stored.photos.map(keptPhoto))
      setRecovered(draft !== null)
      setPhase('editing')
      // What another app shared with Perrario joins whatever was begun here.
      if (dogId === null) addPhotos(await takeShared())
    }
    start().catch((error: Error) => {
      if (isGone) return
      setErrors({ form: error.message })
      setPhase('unavailable')
    })
    void breedNames().then((list) => isGone || setNames(list))
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
    const wasKept = saveDraft(dogId, { values, photos: draftOf(photos), savedAt: Date.now() })
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
  const { zoneNote, tidyZone } = useTidyZone(values, set)

  function show(wrong: FormErrors) {
    isSending.current = false
    setErrors(wrong)
    setPhase('editing')
    const first = firstWrong(wrong)
    wanted.current = first === 'breed' && values.breed === MIXED_BREED ? 'mix' : first
  }

  /**
   * @param trap what stands in the field that nobody sees
   */
  async function submit(trap: string) {
    if (phase !== 'editing' || isSending.current) return
    // By Enter the field is not left.
    const sent = tidied(values)
    tidyZone()
    const stored = dogId === null ? undefined : base.values
    const wrong = validate(sent, gallery.current(), stored)
    if (firstWrong(wrong)) return show(wrong)
    setErrors({})
    setSignedOut(false)
    setProgress(0)
    setPhase('saving')
    isSending.current = true
    const [openFor] = await Promise.all([dogId === null ? paced(openedAt.current) : 0, gallery.settled()])
    const ready = sendable(gallery.current())
    if (ready.length === 0) return show(validate(sent, gallery.current(), stored))

    const outcome =
      dogId === null
        ? await addDog(sent, ready, key.current, { trap, openFor }, setProgress)
        : await editDog(
            dogId,
            { values: sent, before: base.values },
            { photos: ready, isChanged: galleryChanged(ready, base.photos) },
            setProgress,
          )
    const waiting = queued.current?.dog ?? null
    const hasOtherPhotos = waiting !== null && (waiting.hasOtherPhotos || isGalleryChanged)
    if (outcome.kind === 'saved') {
      if (zoneNote || sent.zone !== values.zone) void tellZone()
      if (waiting) await settleQueued({ ...waiting, values: sent, hasOtherPhotos }, ready, outcome)
      return finish(outcome.dog, outcome.skipped, outcome.token)
    }
    if (dogId === null && outcome.kind === 'broken') {
      const unkept = await queueInstead(key.current, sent, ready, waiting, hasOtherPhotos)
      return unkept === undefined ? finishLater() : show({ form: unkept })
    }
    setSignedOut(outcome.kind === 'refused' && outcome.status === 401)
    const mine = outcome.kind === 'refused' ? fieldErrors(outcome.errors) : {}
    show({ ...mine, form: errorRow(mode, outcome) })
  }

  /** Without network: the dog waits on the device. */
  function finishLater() {
    setPhase('saved')
    setQueued(true)
    setMessage(QUEUE_TEXTS.queued)
    void clearDraft(draftId)
    setTimeout(close, QUEUED_CLOSE_AFTER)
  }

  function finish(dog: Dog, skipped: number, token: string | null) {
    setPhase('saved')
    setMessage(savedText(mode, token !== null, dog.waits))
    void clearDraft(draftId)
    if (token !== null) rememberPending(dog, values.relationship, token)
    if (skipped > 0) void tellSkipped(skipped)
    // What waits is on the profile of whoever it belongs to, and in no list.
    if (dog.waits) return void setTimeout(() => location.assign(paths.profile), QUEUED_CLOSE_AFTER)
    announceSaved(dog, mode)
    setTimeout(
      () => (token === null ? close() : location.assign(paths.profile)),
      token === null ? CLOSE_AFTER : VISITOR_CLOSE_AFTER,
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
    tidyZone,
    isSignedOut,
    isUnsaved,
    /** False when closing now would lose something. */
    isSafe: !isUnsaved || (queuedId === null && isTextKept && gallery.isKept),
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
      setPhotos(base.photos.map(keptPhoto))
      setErrors({})
      setRecovered(false)
    },
  }
}

/**
 * How long the form has been open, ms. What a visitor sends sooner than a person can, a recovered draft say, waits until they
 * can: the server would refuse it.
 */
async function paced(openedAt: number): Promise<number> {
  const left = openedAt + LEAST_PACE - performance.now()
  // A little more: timers may be early.
  if (left > 0 && memberHere() === null) await new Promise((done) => setTimeout(done, left + 20))
  return performance.now() - openedAt
}

/** Imported on use: toasts need a document, and the server renders this island too. */
async function tellSkipped(count: number) {
  const { toast } = await import('#ui/toast.client.ts')
  toast({ title: skippedText(count), kind: 'error' })
}
