import { MAX_PHOTOS, photoSrc } from '#features/photos/photos.ts'
import { randomId } from '#lib/identifiers.ts'

/** A photo in the form: a stored one (`url`), or a new one (`file`, once it is compressed). */
export interface Photo {
  id: string
  /** The image's source: a render of the stored photo or an object URL; '' until there is one. */
  src: string
  state: 'preparing' | 'ready' | 'failed'
  /** The URL of a stored photo. */
  url?: string
  file?: File
  /** The error of a failed photo. */
  error?: string
  /** The file's own name, for messages: «perro.jpg». */
  name: string
  /** Its description as typed; '' without one. */
  alt: string
}

/** A photo's identity and description; the id of a stored photo is its URL. */
export type PhotoDescription = Pick<Photo, 'id' | 'alt'>

/** A stored photo; its id is its URL. */
export const toStoredGalleryPhoto = ({ id: url, alt }: PhotoDescription): Photo => ({
  id: url,
  url,
  name: '',
  alt,
  src: photoSrc(url, 'carousel'),
  state: 'ready',
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

/** A photo that was just chosen. */
export const preparingPhoto = (name: string): Photo => ({ id: randomId(), name, alt: '', src: '', state: 'preparing' })

export type GalleryAction =
  | { type: 'add'; photos: Photo[] }
  | { type: 'change'; id: string; with: Partial<Photo> }
  | { type: 'remove'; id: string }
  | { type: 'move'; id: string; to: number }

/** How many photos count towards the limit: all but those that failed, which are never sent. */
export const countPhotos = (photos: readonly Photo[]): number => photos.filter((photo) => !isFailed(photo)).length

/** How many more photos fit. */
export const freeSlots = (photos: readonly Photo[]): number => Math.max(0, MAX_PHOTOS - countPhotos(photos))

/** Applies a change to the gallery. The order is the array's; the first photo is the cover, and never one that failed. */
export const galleryReducer = (photos: Photo[], action: GalleryAction): Photo[] => failedLast(reduce(photos, action))

function reduce(photos: Photo[], action: GalleryAction): Photo[] {
  switch (action.type) {
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

const isFailed = ({ state }: Photo): boolean => state === 'failed'
const failedLast = (photos: Photo[]): Photo[] => photos.toSorted((a, b) => Number(isFailed(a)) - Number(isFailed(b)))

/** `list` with the entry at `from` moved to `to`, which is clamped to the list. */
export function moveItem<T>(list: T[], from: number, to: number): T[] {
  const target = Math.min(Math.max(to, 0), list.length - 1)
  if (from < 0 || from === target) return list
  const copy = [...list]
  copy.splice(target, 0, ...copy.splice(from, 1))
  return copy
}

/** The announcement of photos that were added and are ready. @param total photos in the gallery */
export const addedText = (added: number, total: number): string =>
  `${added === 1 ? '1 foto añadida' : `${added} fotos añadidas`}. Llevas ${total} de ${MAX_PHOTOS}.`

/** The photos that can be sent: neither preparing nor failed. */
export const sendablePhotos = (photos: Photo[]): Photo[] => photos.filter((photo) => photo.url || photo.file)

/** True when the photos, their order or their descriptions differ. */
export const hasGalleryChanged = (photos: readonly PhotoDescription[], before: readonly PhotoDescription[]): boolean =>
  photos.length !== before.length ||
  photos.some(({ id, alt }, index) => id !== before[index]!.id || alt.trim() !== before[index]!.alt)

/** The notice for files beyond the limit (docs/product.md §11.2: max 10). */
export const tooManyText = (refused: number): string =>
  refused === 1
    ? 'Un perro puede tener hasta 10 fotos: una se ha quedado fuera.'
    : `Un perro puede tener hasta 10 fotos: ${refused} se han quedado fuera.`

/** The errors of failed files, each with the file's name, without repetitions. */
export const failureTexts = (photos: readonly Photo[]): string[] => [
  ...new Set(photos.flatMap(({ error, name }) => (error ? [`«${name}»: ${error}`] : []))),
]
