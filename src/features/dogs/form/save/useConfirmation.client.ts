import { useState } from 'react'
import { inBackground } from '#lib/background.client.ts'
import { paths } from '#lib/paths.ts'
import { QUEUE_TEXTS } from '#features/dogs/queue/queue.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'
import {
  CLOSE_DELAY_MS,
  type FormMode,
  QUEUED_CLOSE_DELAY_MS,
  savedText,
  skippedText,
  VISITOR_CLOSE_DELAY_MS,
} from './save-outcome.ts'
import { dispatchDogSaved, storePendingDog } from './saved-dog.client.ts'
import type { SubmitResult } from './submit-dog.client.ts'

/** After a save: what the dialog confirms, and where the person goes from there. */
export function useConfirmation(mode: FormMode, close: () => void) {
  const [message, setMessage] = useState('')
  /** The dog was not sent, but is queued on the device. */
  const [isQueued, setQueued] = useState(false)

  function confirmQueued() {
    setQueued(true)
    setMessage(QUEUE_TEXTS.queued)
    setTimeout(close, QUEUED_CLOSE_DELAY_MS)
  }

  /** @param relationship that a visitor chose, for the dog that waits for an account */
  function confirmSaved(
    { dog, skipped, token }: Extract<SubmitResult, { kind: 'saved' }>,
    relationship: FormValues['relationship'],
  ) {
    setMessage(savedText(mode, token !== null, dog))
    if (token !== null) storePendingDog(dog, relationship, token)
    if (skipped > 0) void showSkippedToast(skipped)
    const openProfile = () => location.assign(paths.profile)
    // A dog pending review is in no list, only on its participants' profiles.
    if (dog.waits) return void setTimeout(openProfile, QUEUED_CLOSE_DELAY_MS)
    dispatchDogSaved(dog, mode)
    if (token !== null) return void setTimeout(openProfile, VISITOR_CLOSE_DELAY_MS)
    if (dog.in_review) return void setTimeout(close, QUEUED_CLOSE_DELAY_MS)
    // Imported on use: the server renders this island too.
    const landing = mode === 'add' ? import('#features/dogs/landing/landing.client.ts') : null
    const opener = landing?.then(({ prepareLanding }) => prepareLanding(dog.id))
    setTimeout(() => {
      close()
      if (opener) inBackground(opener.then((open) => open()))
    }, CLOSE_DELAY_MS)
  }

  return { message, isQueued, confirmQueued, confirmSaved }
}

/** Imported on use: toasts need a document, and the server renders this island too. */
async function showSkippedToast(count: number) {
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: skippedText(count), kind: 'error' })
}
