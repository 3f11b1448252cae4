import { useEffect, useRef, useState } from 'react'
import { clearDraft, saveDraft } from './draft.client.ts'
import type { FormValues } from './form-values.ts'
import { toDraftPhotos } from './initial-state.client.ts'
import type { Photo } from './photos/gallery.ts'

interface DraftState {
  /** The draft's storage key. */
  draft: string
  /** False while the form must not touch the draft: not being edited, or of a queued dog, which is stored already. */
  isEnabled: boolean
  values: FormValues
  photos: readonly Photo[]
  isDirty: boolean
}

/** Stores the form's draft at every change. @returns false once the device refused to store its text */
export function useDraft({ draft, isEnabled, values, photos, isDirty }: DraftState): boolean {
  const [isTextStored, setTextStored] = useState(true)
  /** Whether this form has stored a draft, which it must clear once it is no longer dirty. */
  const hasStored = useRef(false)

  useEffect(() => {
    if (!isEnabled) return
    if (!isDirty) {
      // Not another form's draft: an effect of an earlier render may run when the first photo is already stored.
      if (hasStored.current) void clearDraft(draft)
      hasStored.current = false
      return
    }
    hasStored.current = true
    const wasStored = saveDraft(draft, { values, photos: toDraftPhotos(photos), savedAt: Date.now() })
    queueMicrotask(() => setTextStored(wasStored))
  }, [draft, isEnabled, values, photos, isDirty])

  return isTextStored
}
