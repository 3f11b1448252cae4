import { deleteDraftPhoto, saveDraftPhoto } from '#features/dogs/form/draft.client.ts'
import type { FormStore } from '#features/dogs/form/dog-form.client.ts'
import { clearErrors } from '#features/dogs/form/validate.ts'
import { PHOTO_TEXTS } from '#features/photos/photos.ts'
import { explainError } from '#lib/error-text.ts'
import { freeSlots, type GalleryAction, type Photo, preparingPhoto } from './gallery.ts'

/** What a person does with the form's photos. New ones are compressed one after the other and stored in the draft. */
export function createPhotoActions({ get, dispatch, put, draft }: FormStore) {
  const change = (action: GalleryAction) => dispatch({ type: 'gallery', change: action })
  const find = (id: string) => get().photos.find((photo) => photo.id === id)
  const store = async (id: string, file: File) => {
    if (!(await saveDraftPhoto(draft, id, file))) put({ arePhotosStored: false })
  }
  /** Files of the last choice that had no room, in order: one takes the place of each photo that fails. */
  let waiting: File[] = []
  let queue: Promise<unknown> = Promise.resolve()

  /** Compresses a photo and stores it in the draft. */
  async function prepare(id: string, file: File): Promise<void> {
    if (!find(id)) return
    try {
      const { compressPhoto } = await import('#features/photos/photos.client.ts')
      const compressed = await compressPhoto(file)
      if (!find(id)) return
      const src = URL.createObjectURL(compressed)
      change({ type: 'change', id, with: { file: compressed, src, state: 'ready' } })
      await store(id, compressed)
    } catch (error) {
      const text = explainError(error, PHOTO_TEXTS.unreadable)
      if (text === PHOTO_TEXTS.unreadable && !/^(image\/|$)/.test(file.type)) {
        change({ type: 'remove', id })
        put({ notImages: [...get().notImages, `«${file.name}» no es una imagen.`] })
      } else change({ type: 'change', id, with: { state: 'failed', error: text } })
      fillFreeSlots()
    }
  }

  function fillFreeSlots(): void {
    const chosen = waiting
      .splice(0, freeSlots(get().photos))
      .map((file) => ({ file, photo: preparingPhoto(file.name) }))
    change({ type: 'add', photos: chosen.map(({ photo }) => photo) })
    for (const { file, photo } of chosen) queue = queue.then(() => prepare(photo.id, file))
    put({ refused: waiting.length })
  }

  return {
    add(files: Iterable<File>) {
      waiting = [...files]
      put({ notImages: [], errors: clearErrors(get().errors, ['images']) })
      fillFreeSlots()
    },
    remove(id: string) {
      const removed = find(id)
      waiting = []
      put({ notImages: [], refused: 0 })
      change({ type: 'remove', id })
      if (removed) revokeSource(removed)
      void deleteDraftPhoto(draft, id)
    },
    move: (id: string, to: number) => change({ type: 'move', id, to }),
    describe: (id: string, alt: string) => change({ type: 'change', id, with: { alt } }),
    /** Resolves when every photo added so far is ready or has failed. */
    async whenPrepared() {
      // One that fails lets another one in.
      for (let last; last !== queue;) await (last = queue)
    },
    /** Stores the photos in the draft again: the member signed out in another tab, which deleted them. */
    storeAgain() {
      for (const { id, file } of get().photos) if (file) void saveDraftPhoto(draft, id, file)
    },
    end: () => get().photos.forEach(revokeSource),
  }
}
export type PhotoActions = ReturnType<typeof createPhotoActions>

const revokeSource = ({ src }: Photo) => {
  if (src.startsWith('blob:')) URL.revokeObjectURL(src)
}
