import { useCallback, useEffect, useRef, useState } from 'react'
import { compressPhoto } from '#features/photos/photos.client.ts'
import { PHOTO_TEXTS } from '#features/photos/photos.ts'
import { deleteDraftPhoto, saveDraftPhoto } from '#features/dogs/form/draft.client.ts'
import { galleryReducer, type GalleryAction, type Photo, freeSlots, tooManyText } from './gallery.ts'
import { randomId } from '#features/dogs/form/random-id.ts'

const IMAGE_NAME = /\.(jpe?g|png|webp|avif|gif|heic|heif)$/i
const isImage = (file: File) => file.type.startsWith('image/') || (file.type === '' && IMAGE_NAME.test(file.name))

const notImageText = (name: string) => `«${name}» no es una imagen.`

/** The form's gallery: takes files in, compresses them one after the other and keeps them in the draft. */
export function usePhotos(dogId: string | null) {
  const [photos, setPhotos] = useState<Photo[]>([])
  const [notices, setNotices] = useState<string[]>([])
  const [isKept, setKept] = useState(true)
  // The truth between two renders: saving waits for photos and must then see the last of them.
  const now = useRef<Photo[]>([])
  const queue = useRef<Promise<void>>(Promise.resolve())

  const change = useCallback((action: GalleryAction) => {
    now.current = galleryReducer(now.current, action)
    setPhotos(now.current)
  }, [])
  const set = useCallback((next: Photo[]) => change({ type: 'set', photos: next }), [change])
  useEffect(() => () => now.current.forEach(revokeSource), [])

  const prepare = useCallback(
    async (id: string, file: File) => {
      const isThere = () => now.current.some((photo) => photo.id === id)
      if (!isThere()) return
      try {
        const small = await compressPhoto(file, (progress) => change({ type: 'change', id, with: { progress } }))
        if (!isThere()) return
        const src = URL.createObjectURL(small)
        change({ type: 'change', id, with: { file: small, src, state: 'ready', progress: 1 } })
        if (!(await saveDraftPhoto(dogId, id, small))) setKept(false)
      } catch (error) {
        change({
          type: 'change',
          id,
          with: { state: 'failed', error: error instanceof Error ? error.message : PHOTO_TEXTS.unreadable },
        })
        // What cannot be sent must not stand where the cover goes.
        change({ type: 'move', id, to: now.current.length })
      }
    },
    [change, dogId],
  )

  const add = useCallback(
    (files: Iterable<File>) => {
      const all = [...files]
      const images = all.filter(isImage)
      const fitting = images.slice(0, freeSlots(now.current))
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
    /** False once the device refused to keep a photo for later. */
    isKept,
    /** The gallery as it is now, not as it was drawn. */
    current: () => now.current,
    /** Resolves when every photo taken in so far is ready or has failed. */
    settled: () => queue.current,
    set,
    add,
    remove(id: string) {
      const gone = now.current.find((photo) => photo.id === id)
      setNotices([])
      change({ type: 'remove', id })
      if (gone) revokeSource(gone)
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

/** A photo that came from the draft or the queue: it is ready as it is. */
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
