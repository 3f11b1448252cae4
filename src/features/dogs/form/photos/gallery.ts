import { MAX_PHOTOS } from '#features/photos/photos.ts'

/** A photo of the form: one the dog already has (`url`), or a new one (`file`, once it is compressed). */
export interface Photo {
  id: string
  /** What the browser shows: the stored photo's render or an object URL; '' until there is one. */
  src: string
  state: 'preparing' | 'ready' | 'failed'
  /** 0..1 while it is being compressed. */
  progress: number
  /** The stored address of a kept photo. */
  url?: string
  file?: File
  /** The sentence shown on the photo when it failed. */
  error?: string
  /** The file's own name, for messages: «perro.jpg». */
  name: string
  /** What the person says of it, as typed; '' for nothing. */
  alt: string
}

/** What tells a photo from another; one that the dog has already goes by its address. */
export type PhotoDescription = Pick<Photo, 'id' | 'alt'>

export type GalleryAction =
  | { type: 'set'; photos: Photo[] }
  | { type: 'add'; photos: Photo[] }
  | { type: 'change'; id: string; with: Partial<Photo> }
  | { type: 'remove'; id: string }
  | { type: 'move'; id: string; to: number }

/** How many more photos fit. */
export const freeSlots = (photos: Photo[]): number => Math.max(0, MAX_PHOTOS - photos.length)

/** The gallery's every change. The order is the array's: the first is the cover, and nothing else has to be renumbered. */
export function galleryReducer(photos: Photo[], action: GalleryAction): Photo[] {
  switch (action.type) {
    case 'set':
      return action.photos
    case 'add':
      return [...photos, ...action.photos.slice(0, freeSlots(photos))]
    case 'change':
      return photos.map((photo) => (photo.id === action.id ? { ...photo, ...action.with } : photo))
    case 'remove':
      return photos.filter((photo) => photo.id !== action.id)
    case 'move':
      return moveItem(
        photos,
        photos.findIndex((photo) => photo.id === action.id),
        action.to,
      )
  }
}

/** `list` with the entry at `from` taken out and put back at `to`, which is kept inside the list. */
export function moveItem<T>(list: T[], from: number, to: number): T[] {
  const target = Math.min(Math.max(to, 0), list.length - 1)
  if (from < 0 || from === target) return list
  const copy = [...list]
  copy.splice(target, 0, ...copy.splice(from, 1))
  return copy
}

/** The place `step` away from `index`, round the end (docs/product.md §11.2: gallery navigation wraps). */
export const wrapIndex = (index: number, step: number, length: number): number => (index + step + length) % length

/** The announcement of photos that were added and are ready. @param total photos in the gallery now */
export const addedText = (added: number, total: number): string =>
  `${added === 1 ? '1 foto añadida' : `${added} fotos añadidas`}. Llevas ${total} de ${MAX_PHOTOS}.`

/** The photos that can be sent. */
export const sendablePhotos = (photos: Photo[]): Photo[] => photos.filter((photo) => photo.url || photo.file)

/** True when a gallery would change: another photo, another order, other words. */
export const hasGalleryChanged = (photos: readonly PhotoDescription[], before: readonly PhotoDescription[]): boolean =>
  photos.length !== before.length ||
  photos.some(({ id, alt }, at) => id !== before[at]!.id || alt.trim() !== before[at]!.alt)

/** The sentence for files that no longer fit (docs/product.md §11.2: max 10). */
export const tooManyText = (refused: number): string =>
  refused === 1
    ? 'Un perro puede tener hasta 10 fotos: una se ha quedado fuera.'
    : `Un perro puede tener hasta 10 fotos: ${refused} se han quedado fuera.`
