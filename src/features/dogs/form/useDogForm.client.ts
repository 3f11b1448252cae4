import { useEffect, useRef, useState } from 'react'
import { photoSrc } from '#features/photos/photos.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { paths } from '#lib/paths.ts'
import type { Dog } from '../dogs.ts'
import type { DraftPhoto } from './draft.ts'
import { clearDraft, loadDraft, type SavedDraft, saveDraft } from './draft.client.ts'
import { galleryChanged, type Photo, sendable } from './gallery.ts'
import { newId } from './id.ts'
import { CLOSE_AFTER, errorRow, type Mode, savedText, skippedText, VISITOR_CLOSE_AFTER } from './outcome.ts'
import { rememberPending } from './pending.client.ts'
import { addDog, editDog } from './send.client.ts'
import { takeShared } from './shared.client.ts'
import { breedNames, dogById, signedInId } from './source.client.ts'
import { readyPhoto, usePhotos } from './usePhotos.client.ts'
import { fieldErrors, firstWrong, type FormErrors, validate } from './validate.ts'
import { EMPTY, type FieldName, type FormValues, isTouched, valuesOf } from './values.ts'

/** `dogId` null: a new dog. */
export interface FormRequest {
  dogId: string | null
}
export type Phase = 'loading' | 'editing' | 'saving' | 'saved' | 'unavailable'

/** What a dog being edited looked like, so that only changes are sent. */
interface Base {
  values: FormValues
  urls: readonly string[]
}

const NEW: Base = { values: EMPTY, urls: [] }

/** Everything the dialog knows and does; the components only draw it. */
export function useDogForm({ dogId }: FormRequest, close: () => void) {
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
  const [base, setBase] = useState(NEW)
  /** One key for the whole session of the form: however often it is sent, it makes one dog. */
  const key = useRef(newId())
  /** `phase` is only as fresh as the last render; two presses may come before the next. */
  const isSending = useRef(false)
  /** Whether this form has kept a draft that emptying it must forget. */
  const hasKept = useRef(false)
  /** The field that gets the focus next. */
  const wanted = useRef<FieldName | 'mix'>(undefined)
  const gallery = usePhotos(dogId)
  const { photos, set: setPhotos, add: addPhotos } = gallery

  const isDirty = isTouched(values, base.values) || galleryChanged(photos, base.urls)
  const isUnsaved = (phase === 'editing' || phase === 'saving') && isDirty

  useEffect(() => {
    let isGone = false
    const start = async () => {
      const [draft, stored] = await Promise.all([loadDraft(dogId), dogId === null ? NEW : baseOf(dogId)])
      if (isGone) return
      setBase(stored)
      setValues(draft?.values ?? stored.values)
      setPhotos(draft ? photosOf(draft) : stored.urls.map(keptPhoto))
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
    }
    // A form is for one dog: the dialog is made anew for another.
  }, [dogId, setPhotos, addPhotos])

  useEffect(() => {
    if (phase !== 'editing') return
    if (!isDirty) {
      // Only what this form kept: an effect of an earlier picture may run when the first photo is on the disk already.
      if (hasKept.current) void clearDraft(dogId)
      hasKept.current = false
      return
    }
    hasKept.current = true
    const kept = photos.flatMap((photo): DraftPhoto[] =>
      photo.url ? [{ url: photo.url }] : photo.file ? [{ id: photo.id, name: photo.name }] : [],
    )
    const wasKept = saveDraft(dogId, { values, photos: kept, savedAt: Date.now() })
    queueMicrotask(() => setTextKept(wasKept))
  }, [dogId, phase, values, photos, isDirty])

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

  function show(wrong: FormErrors) {
    isSending.current = false
    setErrors(wrong)
    setPhase('editing')
    const first = firstWrong(wrong)
    wanted.current = first === 'breed' && values.breed === MIXED_BREED ? 'mix' : first
  }

  /** @param garbled number fields whose text the browser cannot read */
  async function submit(garbled: readonly FieldName[]) {
    if (phase !== 'editing' || isSending.current) return
    const wrong = validate(values, gallery.current(), garbled)
    if (firstWrong(wrong)) return show(wrong)
    setErrors({})
    setSignedOut(false)
    setProgress(0)
    setPhase('saving')
    isSending.current = true
    await gallery.settled()
    const ready = sendable(gallery.current())
    if (ready.length === 0) return show(validate(values, gallery.current(), garbled))

    const outcome =
      dogId === null
        ? await addDog(values, ready, key.current, setProgress)
        : await editDog(
            dogId,
            { values, before: base.values },
            { photos: ready, isChanged: galleryChanged(ready, base.urls) },
            setProgress,
          )
    if (outcome.kind === 'saved') return finish(outcome.dog, outcome.skipped, outcome.token)
    setSignedOut(outcome.kind === 'refused' && outcome.status === 401)
    const mine = outcome.kind === 'refused' ? fieldErrors(outcome.errors) : {}
    show({ ...mine, form: errorRow(mode, outcome) })
  }

  function finish(dog: Dog, skipped: number, token: string | null) {
    setPhase('saved')
    setMessage(savedText(mode, token !== null))
    void clearDraft(dogId)
    if (token !== null) rememberPending(dog, values.relationship, token)
    if (skipped > 0) void tellSkipped(skipped)
    window.dispatchEvent(new CustomEvent('perrario:dog-saved', { detail: { dog, mode } }))
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
    isSignedOut,
    isUnsaved,
    /** False when closing now would lose something. */
    isSafe: !isUnsaved || (isTextKept && gallery.isKept),
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
      setPhotos(base.urls.map(keptPhoto))
      setErrors({})
      setRecovered(false)
    },
  }
}

/** Imported on use: toasts need a document, and the server renders this island too. */
async function tellSkipped(count: number) {
  const { toast } = await import('#ui/toast.client.ts')
  toast({ title: skippedText(count), kind: 'error' })
}

async function baseOf(dogId: string): Promise<Base> {
  const [dog, names, userId] = await Promise.all([dogById(dogId), breedNames(), signedInId()])
  const listed = new Set(names)
  // Without the list nothing can be told apart: the breed stays as it is.
  const isListed = (name: string) => name === MIXED_BREED || names.length === 0 || listed.has(name)
  return { values: valuesOf(dog, userId, isListed), urls: dog.images.map((image) => image.url) }
}

const keptPhoto = (url: string): Photo => ({
  id: url,
  url,
  name: '',
  src: photoSrc(url, 'carousel'),
  state: 'ready',
  progress: 1,
})

function photosOf(draft: SavedDraft): Photo[] {
  return draft.photos.map((photo) =>
    'url' in photo ? keptPhoto(photo.url) : readyPhoto(photo.id, draft.files.get(photo.id)!),
  )
}
