import { useCallback, useEffect, useRef, useState } from 'react'
import { compressPhoto } from '#features/photos/photos.client.ts'
import { PHOTO_TEXTS } from '#features/photos/photos.ts'
import { deleteDraftPhoto, saveDraftPhoto } from '#features/dogs/form/draft.client.ts'
import { galleryReducer, type GalleryAction, type Photo, freeSlots, tooManyText } from './gallery.ts'
import { randomId } from '#lib/identifiers.ts'

const IMAGE_NAME = /\.(jpe?g|png|webp|avif|gif|heic|heif)$/i
const isImage = (file: File) => file.type.startsWith('image/') || (file.type === '' && IMAGE_NAME.test(file.name))

const notImageText = (name: string) => `«${name}» no es una imagen.`

/** The form's gallery: accepts files, compresses them one after the other and stores them in the draft. */
export function usePhotos(dogId: string | null) {
  const [photos, setPhotos] = useState<Photo[]>([])
  const [notices, setNotices] = useState<string[]>([])
  const [isDraftStored, setDraftStored] = useState(true)
  // The state between two renders: saving waits for photos and must then see all of them.
  const latest = useRef<Photo[]>([])
  const queue = useRef<Promise<void>>(Promise.resolve())

  const change = useCallback((action: GalleryAction) => {
    latest.current = galleryReducer(latest.current, action)
    setPhotos(latest.current)
  }, [])
  const set = useCallback((next: Photo[]) => change({ type: 'set', photos: next }), [change])
  useEffect(() => () => latest.current.forEach(revokeSource), [])

  const prepare = useCallback(
    async (id: string, file: File) => {
      const isInGallery = () => latest.current.some((photo) => photo.id === id)
      if (!isInGallery()) return
      try {
        const compressed = await compressPhoto(file, (progress) => change({ type: 'change', id, with: { progress } }))
        if (!isInGallery()) return
        const src = URL.createObjectURL(compressed)
        change({ type: 'change', id, with: { file: compressed, src, state: 'ready', progress: 1 } })
        if (!(await saveDraftPhoto(dogId, id, compressed))) setDraftStored(false)
      } catch (error) {
        change({
          type: 'change',
          id,
          with: { state: 'failed', error: error instanceof Error ? error.message : PHOTO_TEXTS.unreadable },
        })
        // A photo that cannot be sent must not be the cover.
        change({ type: 'move', id, to: latest.current.length })
      }
    },
    [change, dogId],
  )

  const add = useCallback(
    (files: Iterable<File>) => {
      const all = [...files]
      const images = all.filter(isImage)
      const fitting = images.slice(0, freeSlots(latest.current))
      const refused = images.length - fitting.length
      setNotices([
        ...all.filter((file) => !isImage(file)).map((file) => notImageText(file.name)),
        ...(refused ? [tooManyText(refused)] : []),
      ])
      const entries = fitting.map((file) => ({ file, photo: preparingPhoto(file.name) }))
      change({ type: 'add', photos: entries.map((entry) => entry.photo) })
      for (const { file, photo } of entries) queue.current = queue.current.then(() => prepare(photo.id, file))
    },
    [change, prepare],
  )

  return {
    photos,
    notices,
    /** False once the device refused to store a photo of the draft. */
    isDraftStored,
    /** The latest gallery, which may be newer than the rendered one. */
    current: () => latest.current,
    /** Resolves when every photo added so far is ready or has failed. */
    settled: () => queue.current,
    set,
    add,
    remove(id: string) {
      const removed = latest.current.find((photo) => photo.id === id)
      setNotices([])
      change({ type: 'remove', id })
      if (removed) revokeSource(removed)
      void deleteDraftPhoto(dogId, id)
    },
    move: (id: string, to: number) => change({ type: 'move', id, to }),
    describe: (id: string, alt: string) => change({ type: 'change', id, with: { alt } }),
  }
}

const preparingPhoto = (name: string): Photo => ({
  id: randomId(),
  name,
  alt: '',
  src: '',
  state: 'preparing',
  progress: 0,
})

/** A photo from the draft or the queue, which is compressed already. */
export const readyPhoto = (id: string, file: File, alt: string): Photo => ({
  id,
  file,
  name: file.name,
  alt,
  src: URL.createObjectURL(file),
  state: 'ready',
  progress: 1,
})

const revokeSource = ({ src }: Photo) => {
  if (src.startsWith('blob:')) URL.revokeObjectURL(src)
}
