import { type ClipboardEvent, type DragEvent, useState } from 'react'

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
