import { useCallback, useEffect, useRef, useState } from 'react'
import { PHOTO_TEXTS } from '#features/photos/photos.ts'
import { deleteDraftPhoto, saveDraftPhoto } from '#features/dogs/form/draft.client.ts'
import { explainError } from '#lib/error-text.ts'
import { galleryReducer, type GalleryAction, type Photo, freeSlots, tooManyText } from './gallery.ts'
import { randomId } from '#lib/identifiers.ts'

const notImageText = (name: string) => `«${name}» no es una imagen.`

/**
 * The form's gallery: accepts files, compresses them one after the other and stores them in the draft.
 * @param draft the draft's storage key
 */
export function usePhotos(draft: string) {
  const [photos, setPhotos] = useState<Photo[]>([])
  const [notImages, setNotImages] = useState<string[]>([])
  /** How many files of the last choice have no room. */
  const [refused, setRefused] = useState(0)
  const [isDraftStored, setDraftStored] = useState(true)
  // The state between two renders: saving waits for photos and must then see all of them.
  const latest = useRef<Photo[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())

  const change = useCallback((action: GalleryAction) => {
    latest.current = galleryReducer(latest.current, action)
    setPhotos(latest.current)
  }, [])
  const set = useCallback((next: Photo[]) => change({ type: 'set', photos: next }), [change])
  useEffect(() => () => latest.current.forEach(revokeSource), [])

  /** Compresses a photo and stores it in the draft. @returns false where it cannot be read */
  const prepare = useCallback(
    async (id: string, file: File): Promise<boolean> => {
      const isInGallery = () => latest.current.some((photo) => photo.id === id)
      if (!isInGallery()) return true
      try {
        const { compressPhoto } = await import('#features/photos/photos.client.ts')
        const compressed = await compressPhoto(file)
        if (!isInGallery()) return true
        const src = URL.createObjectURL(compressed)
        change({ type: 'change', id, with: { file: compressed, src, state: 'ready' } })
        if (!(await saveDraftPhoto(draft, id, compressed))) setDraftStored(false)
        return true
      } catch (error) {
        const text = explainError(error, PHOTO_TEXTS.unreadable)
        if (text === PHOTO_TEXTS.unreadable && !/^(image\/|$)/.test(file.type)) {
          change({ type: 'remove', id })
          setNotImages((before) => [...before, notImageText(file.name)])
        } else change({ type: 'change', id, with: { state: 'failed', error: text } })
        return false
      }
    },
    [change, draft],
  )

  /** Files of the last choice that had no room, in order: one takes the place of each photo that fails. */
  const waiting = useRef<File[]>([])
  const add = useCallback(
    (files: Iterable<File>) => {
      setNotImages([])
      waiting.current = [...files]
      const fillFreeSlots = () => {
        const entries = waiting.current
          .splice(0, freeSlots(latest.current))
          .map((file) => ({ file, photo: preparingPhoto(file.name) }))
        change({ type: 'add', photos: entries.map((entry) => entry.photo) })
        for (const { file, photo } of entries)
          queue.current = queue.current.then(async () => (await prepare(photo.id, file)) || fillFreeSlots())
        setRefused(waiting.current.length)
      }
      fillFreeSlots()
    },
    [change, prepare],
  )

  return {
    photos,
    notices: refused ? [...notImages, tooManyText(refused)] : notImages,
    /** False once the device refused to store a photo of the draft. */
    isDraftStored,
    /** The latest gallery, which may be newer than the rendered one. */
    current: () => latest.current,
    /** Resolves when every photo added so far is ready or has failed. */
    async whenPrepared() {
      // One that fails lets another one in.
      for (let last; last !== queue.current;) await (last = queue.current)
    },
    set,
    add,
    remove(id: string) {
      const removed = latest.current.find((photo) => photo.id === id)
      setNotImages([])
      setRefused(0)
      waiting.current = []
      change({ type: 'remove', id })
      if (removed) revokeSource(removed)
      void deleteDraftPhoto(draft, id)
    },
    /** Stores the photos in the draft again: the member signed out in another tab, which deleted them. */
    storeAgain() {
      for (const { id, file } of latest.current) if (file) void saveDraftPhoto(draft, id, file)
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
})

/** A photo from the draft or the queue, which is compressed already. */
export const readyPhoto = (id: string, file: File, alt: string): Photo => ({
  id,
  file,
  name: file.name,
  alt,
  src: URL.createObjectURL(file),
  state: 'ready',
})

const revokeSource = ({ src }: Photo) => {
  if (src.startsWith('blob:')) URL.revokeObjectURL(src)
}
