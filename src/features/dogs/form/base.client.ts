import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { photoSrc } from '#features/photos/photos.ts'
import type { SavedDraft } from './draft.client.ts'
import type { DraftPhoto } from './draft.ts'
import type { Described, Photo } from './gallery.ts'
import { breedNames, dogById, signedInId } from './source.client.ts'
import { readyPhoto } from './usePhotos.client.ts'
import { EMPTY, type FormValues, valuesOf } from './values.ts'

/** What a dog being edited looked like, so that only changes are sent. */
export interface Base {
  values: FormValues
  photos: readonly Described[]
}

export const NEW: Base = { values: EMPTY, photos: [] }

export async function baseOf(dogId: string): Promise<Base> {
  const [dog, names, userId] = await Promise.all([dogById(dogId), breedNames(), signedInId()])
  const listed = new Set(names)
  // Without the list nothing can be told apart: the breed stays as it is.
  const isListed = (name: string) => name === MIXED_BREED || names.length === 0 || listed.has(name)
  const photos = dog.images.map(({ url, alt }) => ({ id: url, alt: alt ?? '' }))
  return { values: valuesOf(dog, userId, isListed), photos }
}

/** A photo that the dog has already. */
export const keptPhoto = ({ id: url, alt }: Described): Photo => ({
  id: url,
  url,
  name: '',
  alt,
  src: photoSrc(url, 'carousel'),
  state: 'ready',
  progress: 1,
})

export const photosOf = (draft: SavedDraft): Photo[] =>
  draft.photos.map(({ alt = '', ...photo }) =>
    'url' in photo ? keptPhoto({ id: photo.url, alt }) : readyPhoto(photo.id, draft.files.get(photo.id)!, alt),
  )

/** A gallery as its draft remembers it. */
export const draftOf = (photos: readonly Photo[]): DraftPhoto[] =>
  photos.flatMap(({ id, url, file, name, alt }): DraftPhoto[] => {
    const said = alt ? { alt } : {}
    return url ? [{ url, ...said }] : file ? [{ id, name, ...said }] : []
  })
