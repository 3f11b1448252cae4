import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { localMemberId } from '#lib/local-member.client.ts'
import { explainError } from '#lib/error-text.ts'
import { clearDraft } from './draft.client.ts'
import { fetchBreedNames } from './form-api.client.ts'
import { type FormRequest, type FormStart, loadFormStart } from './initial-state.client.ts'
import type { OpenedQueuedDog } from './save/queued-dog.client.ts'

/** What the form knows of its opening, and never renders. */
export interface FormSession {
  /** On the clock of `performance.now()`, ms. */
  openedAt: number
  /** Who opened the form; null for a visitor. */
  member: string | null
  /** The queued dog being edited. */
  queued: OpenedQueuedDog | undefined
}

/**
 * Loads what the form shows when it opens, once. `draft` is the key of its draft.
 * @param onFailed with a sentence for the person; also where `onLoaded` throws
 * @returns the session, and the names of the breeds once they are loaded
 */
export function useFormStart(
  { dogId, queuedId, draft }: FormRequest & { draft: string },
  onLoaded: (start: FormStart) => Promise<void>,
  onFailed: (message: string) => void,
): { session: RefObject<FormSession>; names: readonly string[] | null } {
  const session = useRef<FormSession>({ openedAt: 0, member: null, queued: undefined })
  const [names, setNames] = useState<readonly string[] | null>(null)
  const loaded = useEffectEvent(onLoaded)
  const failed = useEffectEvent(onFailed)

  useEffect(() => {
    const { current } = session
    current.openedAt = performance.now()
    current.member = localMemberId()
    let isUnmounted = false
    const start = async () => {
      const state = await loadFormStart({ dogId, queuedId }, current.member)
      if (isUnmounted) return state.queued?.release()
      current.queued = state.queued
      if (state.queued) current.member = state.queued.dog.member
      await loaded(state)
    }
    start().catch((error: unknown) => isUnmounted || failed(explainError(error)))
    void fetchBreedNames().then((list) => isUnmounted || setNames(list))
    return () => {
      isUnmounted = true
      current.queued?.release()
      if (queuedId === null) return
      // Added photos go with the form. The dog may be sent again, or was replaced.
      void clearDraft(draft)
      window.dispatchEvent(new Event('perrario:queue-changed'))
    }
    // Another dog gets a new dialog (its key), never a new request here.
  }, [dogId, queuedId, draft])

  return { session, names }
}
