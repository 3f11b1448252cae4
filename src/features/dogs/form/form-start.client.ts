import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { loadDraft } from './draft.client.ts'
import { fetchBreedNames, fetchDog, fetchSignedInId } from './form-api.client.ts'
import type { FormRequest, FormState, StoredDog } from './form-state.ts'
import { EMPTY_VALUES, type FormValues, toFormValues } from './form-values.ts'
import { readyPhoto, toStoredGalleryPhoto } from './photos/gallery.ts'
import { openQueuedDog } from './save/queued-dog.client.ts'

/** What the form shows when it opens. */
export type FormStart = Pick<FormState, 'stored' | 'values' | 'photos' | 'errors' | 'isRecovered'>

/**
 * Loads a queued dog, or the stored or empty dog with its draft.
 * @param member who opens the form; null for a visitor
 * @returns the start, and the queued dog, locked until its `release`
 * @throws Error with the sentence to show
 */
export async function loadFormStart({ dogId, queuedId, breed, zone, isDiscovery }: FormRequest, member: string | null) {
  if (queuedId !== null) {
    const { dog, release, ...start } = await openQueuedDog(queuedId)
    return { start: { ...start, isRecovered: false }, queued: { dog, release } }
  }
  const [draft, stored] = await Promise.all([loadDraft(dogId, member), dogId === null ? NEW_DOG : loadDog(dogId)])
  const given: Partial<FormValues> = draft
    ? {}
    : { ...(zone && { zone }), ...(isDiscovery && { relationship: 'discoverer' }) }
  const values = { ...stored.values, ...given }
  const photos = draft
    ? draft.photos.map((photo) =>
        'url' in photo
          ? toStoredGalleryPhoto({ id: photo.url, alt: photo.alt ?? '' })
          : readyPhoto(photo.id, draft.files.get(photo.id)!, photo.alt ?? ''),
      )
    : stored.photos.map(toStoredGalleryPhoto)
  const start: FormStart = {
    stored: { ...stored, values },
    values: { ...(draft?.values ?? values), ...(breed && { breed }) },
    photos,
    errors: {},
    isRecovered: draft !== null,
  }
  return { start, queued: undefined }
}

const NEW_DOG: StoredDog = { values: EMPTY_VALUES, photos: [] }

async function loadDog(id: string): Promise<StoredDog> {
  const [dog, names, userId] = await Promise.all([fetchDog(id), fetchBreedNames(), fetchSignedInId()])
  // Without the list the breed stays as it is.
  const isListed = (name: string) => name === MIXED_BREED || names.length === 0 || names.includes(name)
  const photos = dog.images.map(({ url, alt }) => ({ id: url, alt: alt ?? '' }))
  return { values: toFormValues(dog, userId, isListed), photos }
}
