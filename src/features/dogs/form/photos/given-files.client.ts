import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { CACHES } from '#lib/offline.ts'

/** The form's properties for files that are dropped anywhere on it, or pasted. */
export function useGivenFiles(isEnabled: boolean, add: (files: Iterable<File>) => void) {
  const [isOver, setOver] = useState(false)
  const give = (files: FileList) => isEnabled && files.length > 0 && add([...files])
  return {
    'data-over': (isEnabled && isOver) || undefined,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop(event: DragEvent) {
      setOver(false)
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      give(event.dataTransfer.files)
    },
    onPaste: (event: ClipboardEvent) => give(event.clipboardData.files),
  }
}

/** Reads and deletes the photos that another app shared with Perrario (features/pwa/worker/share-target.client.ts). */
export async function takeSharedPhotos(): Promise<File[]> {
  try {
    if (!(await caches.has(CACHES.shared))) return []
    const cache = await caches.open(CACHES.shared)
    const files: File[] = []
    for (const key of await cache.keys()) {
      const response = await cache.match(key)
      if (!response) continue
      const name = decodeURIComponent(response.headers.get('X-Name') ?? '') || 'foto'
      files.push(new File([await response.blob()], name, { type: response.headers.get('Content-Type') ?? '' }))
    }
    await caches.delete(CACHES.shared)
    return files
  } catch {
    // Browsers without the Cache API (plain http) have no share target either.
    return []
  }
}
