import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { loadDraft, type SavedDraft } from './draft.client.ts'
import type { DraftPhoto } from './draft.ts'
import type { PhotoDescription, Photo } from './photos/gallery.ts'
import { fetchBreedNames, fetchDog, fetchSignedInId } from './form-api.client.ts'
import { readyPhoto } from './photos/usePhotos.client.ts'
import { EMPTY_VALUES, type FormValues, toFormValues } from './form-values.ts'
import { type OpenedQueuedDog, openQueuedDog } from './save/queued-dog.client.ts'
import type { FormErrors } from './validate.ts'

/** `dogId` null: a new dog. `queuedId`: a queued dog of this device. */
export interface FormRequest {
  dogId: string | null
  queuedId: string | null
  /** The name of a breed that is filled in over the dog's own, and a draft's; the form's owner saves it, or does not. */
  breed?: string | undefined
  /** The zone that a new dog begins with, where no draft is recovered. */
  zone?: string | undefined
  /** As `zone`: the member begins as the dog's discoverer. */
  isDiscovery?: boolean
}

/** The stored state of the dog being edited, so that only changes are sent. */
export interface InitialState {
  values: FormValues
  photos: readonly PhotoDescription[]
}

export const NEW_DOG_STATE: InitialState = { values: EMPTY_VALUES, photos: [] }

export async function loadInitialState(dogId: string): Promise<InitialState> {
  const [dog, names, userId] = await Promise.all([fetchDog(dogId), fetchBreedNames(), fetchSignedInId()])
  const listed = new Set(names)
  // Without the list the breed stays as it is.
  const isListed = (name: string) => name === MIXED_BREED || names.length === 0 || listed.has(name)
  const photos = dog.images.map(({ url, alt }) => ({ id: url, alt: alt ?? '' }))
  return { values: toFormValues(dog, userId, isListed), photos }
}

/** A stored photo in the form's gallery. */
export const toStoredGalleryPhoto = ({ id: url, alt }: PhotoDescription): Photo => ({
  id: url,
  url,
  name: '',
  alt,
  src: photoSrc(url, 'carousel'),
  state: 'ready',
})

export const toGalleryPhotos = (draft: SavedDraft): Photo[] =>
  draft.photos.map(({ alt = '', ...photo }) =>
    'url' in photo
      ? toStoredGalleryPhoto({ id: photo.url, alt })
      : readyPhoto(photo.id, draft.files.get(photo.id)!, alt),
  )

/** The gallery in the form that the draft stores. */
export const toDraftPhotos = (photos: readonly Photo[]): DraftPhoto[] =>
  photos.flatMap(({ id, url, file, name, alt }): DraftPhoto[] => {
    const description = alt ? { alt } : {}
    return url ? [{ url, ...description }] : file ? [{ id, name, ...description }] : []
  })

/** Everything that the form shows when it opens. */
export interface FormStart {
  base: InitialState
  values: FormValues
  photos: Photo[]
  errors: FormErrors
  /** The values and photos come from a draft. */
  isRecovered: boolean
  /** The queued dog, locked until its `release`. */
  queued?: OpenedQueuedDog
}

/**
 * Loads a queued dog, or the stored or empty dog with its draft.
 * @param member who opens the form; null for a visitor
 * @throws Error with the sentence to show
 */
export async function loadFormStart({ dogId, queuedId }: FormRequest, member: string | null): Promise<FormStart> {
  if (queuedId !== null) {
    const queued = await openQueuedDog(queuedId)
    const { dog, values, photos, errors } = queued
    return { base: { values: dog.values, photos }, values, photos, errors, isRecovered: false, queued }
  }
  const [draft, base] = await Promise.all([
    loadDraft(dogId, member),
    dogId === null ? NEW_DOG_STATE : loadInitialState(dogId),
  ])
  return {
    base,
    values: draft?.values ?? base.values,
    photos: draft ? toGalleryPhotos(draft) : base.photos.map(toStoredGalleryPhoto),
    errors: {},
    isRecovered: draft !== null,
  }
}
