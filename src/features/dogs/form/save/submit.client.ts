import { showToast } from '#ui/toast/show-toast.client.ts'
import { clearDraft } from '#features/dogs/form/draft.client.ts'
import type { FormStore } from '#features/dogs/form/dog-form.client.ts'
import { isGalleryChanged } from '#features/dogs/form/form-state.ts'
import { MIN_FILL_TIME_MS } from '#features/dogs/form/form-values.ts'
import { hasGalleryChanged, sendablePhotos } from '#features/dogs/form/photos/gallery.ts'
import type { PhotoActions } from '#features/dogs/form/photos/photo-actions.client.ts'
import { fieldErrors, firstInvalidField, type FormErrors, validate } from '#features/dogs/form/validate.ts'
import { QUEUE_TEXTS } from '#features/dogs/queue/queue.ts'
import { inBackground } from '#lib/background.client.ts'
import { randomId } from '#lib/identifiers.ts'
import { localMemberId } from '#lib/local-member.client.ts'
import { paths } from '#lib/paths.ts'
import { completeQueuedDog, queueUnsentDog } from './queued-dog.client.ts'
import { saveEdits, sendNewDog } from './save-dog.client.ts'
import {
  CLOSE_DELAY_MS,
  QUEUED_CLOSE_DELAY_MS,
  saveErrorText,
  type SaveOutcome,
  savedText,
  skippedText,
  VISITOR_CLOSE_DELAY_MS,
} from './save-outcome.ts'
import { dispatchDogSaved, storePendingDog } from './saved-dog.client.ts'

interface Options {
  /** Tidies name and zone as the server stores them. @returns what to say of it, '' for nothing */
  tidyTexts: () => Promise<string>
  gallery: PhotoActions
  /** Closes the dialog. */
  close: () => void
}

/** Validates and saves the form, and confirms it. */
export function createSubmit(form: FormStore, { tidyTexts, gallery, close }: Options) {
  const { get, put, session } = form
  const { dogId, queuedId } = get().request
  const mode = dogId === null ? 'add' : 'edit'
  /** One key per form: however often it is sent, it makes one dog. */
  const key = queuedId ?? randomId()
  /** What was tidied in the texts, until the dog is saved: the question for the breed comes between. */
  let note = ''
  let isSending = false
  const fail = (errors: FormErrors) => form.dispatch({ type: 'fail', errors })

  /** @param honeypot the value of the field that people do not see */
  async function submit(honeypot: string): Promise<void> {
    if (isSending || get().phase !== 'editing') return
    isSending = true
    await send(honeypot).finally(() => (isSending = false))
  }

  async function send(honeypot: string): Promise<void> {
    // Enter submits without leaving the field.
    const added = await tidyTexts()
    note ||= added
    const { values, photos, stored } = get()
    const before = dogId === null ? undefined : stored.values
    const invalid = validate(values, photos, before)
    if (firstInvalidField(invalid)) return fail(invalid)
    if (values.breed === '') return put({ errors: {}, isAsking: true })
    put({ errors: {}, isAsking: false, isSignedOut: false, progress: 0, phase: 'saving' })
    const { openedAt, member, queued } = session
    const [fillTimeMs] = await Promise.all([dogId === null ? waitForMinFillTime(openedAt) : 0, gallery.whenPrepared()])
    const sent = sendablePhotos(get().photos)
    if (sent.length === 0) return fail(validate(values, get().photos, before))

    const onProgress = (progress: number) => put({ progress })
    const isChanged = hasGalleryChanged(sent, stored.photos)
    const outcome = await (dogId === null
      ? sendNewDog(values, sent, key, member, { honeypot, fillTimeMs }, onProgress)
      : saveEdits(dogId, { values, before: stored.values }, { photos: sent, isChanged }, onProgress))
    const hasOtherPhotos = queued !== undefined && (queued.dog.hasOtherPhotos || isGalleryChanged(get()))
    if (outcome.kind === 'saved') {
      if (queued) await completeQueuedDog({ ...queued.dog, values, hasOtherPhotos }, sent, outcome)
      return confirmSaved(outcome)
    }
    if (dogId === null && outcome.kind === 'broken') {
      const dog = { id: key, values, member, hasOtherPhotos }
      const error = await queueUnsentDog(dog, sent, queued?.dog)
      if (error !== undefined) return fail({ form: error })
      confirm(QUEUE_TEXTS.queued, true)
      return closeAfter(QUEUED_CLOSE_DELAY_MS)
    }
    const isSignedOut = outcome.kind === 'refused' && outcome.status === 401
    put({ isSignedOut })
    if (isSignedOut) gallery.storeAgain()
    fail({ ...(outcome.kind === 'refused' && fieldErrors(outcome.errors)), form: saveErrorText(mode, outcome) })
  }

  function confirm(message: string, isQueued: boolean): void {
    put({ phase: 'saved', message, isQueued })
    void clearDraft(form.draft)
  }
  const closeAfter = (ms: number) => void setTimeout(close, ms)

  /** Says that the dog is saved, and leads the person on. */
  function confirmSaved({ dog, skipped, token }: Extract<SaveOutcome, { kind: 'saved' }>): void {
    confirm(savedText(mode, token !== null, dog), false)
    if (note) void showToast({ title: note })
    if (token !== null) storePendingDog(dog, get().values.relationship, token)
    if (skipped > 0) void showToast({ title: skippedText(skipped), kind: 'error' })
    const openProfile = () => location.assign(paths.profile)
    // A dog pending review is in no list, only on its participants' profiles.
    if (dog.waits) return void setTimeout(openProfile, QUEUED_CLOSE_DELAY_MS)
    dispatchDogSaved(dog, mode)
    if (token !== null) return void setTimeout(openProfile, VISITOR_CLOSE_DELAY_MS)
    if (dog.in_review) return closeAfter(QUEUED_CLOSE_DELAY_MS)
    // Imported on use: the server renders this island too.
    const landing = mode === 'add' ? import('#features/dogs/landing/landing.client.ts') : null
    const opener = landing?.then(({ prepareLanding }) => prepareLanding(dog.id))
    setTimeout(() => {
      close()
      if (opener) inBackground(opener.then((open) => open()))
    }, CLOSE_DELAY_MS)
  }

  return {
    submit,
    /** Shows the fields again, with the focus on the breed. */
    stopAsking() {
      note = ''
      put({ isAsking: false, errors: {}, focus: { field: 'breed' } })
    },
  }
}

const TIMER_TOLERANCE_MS = 20

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
