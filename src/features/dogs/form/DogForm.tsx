import { findClicked } from '#lib/plain-click.ts'
import { useEffect, useRef, useState } from 'react'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { DogDialog } from './DogDialog.tsx'
import styles from './form.css?url'
import type { FormRequest } from './form-state.ts'

/**
 * The elements that open the form: `data-add-dog`, `data-edit-dog` with a dog's id, `data-edit-queued` with a queued dog's. `data-breed`
 * beside either fills in a breed, `data-zone` and `data-relationship` beside the first what the last dog of a walk had.
 */
export const TRIGGERS = '[data-add-dog], [data-edit-dog], [data-edit-queued]'

// The form's style sheet loads with its code, since no page shows the form before a click.
const stylesLoaded = loadStylesheet(styles)

/** The island: sleeps until a trigger is clicked (client:demand), then opens the dialog for each click. */
export default function DogForm() {
  const root = useRef<HTMLSpanElement>(null)
  const [request, setRequest] = useState<FormRequest | null>(null)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const open = (event: MouseEvent) => {
      const trigger = findClicked<HTMLElement>(event, TRIGGERS)
      if (!trigger) return
      event.preventDefault()
      const { editDog: dogId = null, editQueued: queuedId = null, breed, zone, relationship } = trigger.dataset
      void stylesLoaded.then(() =>
        setRequest({ dogId, queuedId, breed, zone, isDiscovery: relationship === 'discoverer' }),
      )
    }
    document.addEventListener('click', open)
    root.current?.dispatchEvent(new CustomEvent('island:ready', { bubbles: true }))
    return () => document.removeEventListener('click', open)
  }, [])

  return (
    <span ref={root} hidden={!request}>
      {request && (
        <DogDialog
          key={`${attempt} ${request.dogId ?? request.queuedId}`}
          request={request}
          onClosed={() => setRequest(null)}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
    </span>
  )
}
