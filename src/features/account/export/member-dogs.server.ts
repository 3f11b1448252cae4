import type { Db } from '#db/client.ts'
import { parseQuarantinedDog, type QuarantinedPhoto } from '#features/dogs/quarantine.server.ts'
import { readQuarantinedDogsOf } from '#features/moderation/quarantine.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

/** A photo's path in the archive; null for drawings and other addresses that are not photo files. */
export const toArchivePath = (dog: { path_breed: string; path_slug: string }, image: { url: string; order: number }) =>
  photoName(image.url) && `fotos/${dog.path_breed}/${dog.path_slug}/${image.order + 1}.jpg`

/** The dogs that the member owns, discovered or added, quarantined ones included, with their photos. */
export async function* readMemberDogs(db: Db, userId: string) {
  const selectByRole = (role: 'user_id' | 'owner_id' | 'discoverer_id') =>
    db.selectFrom('dogs').select('id').where(role, '=', userId)
  const ids = await selectByRole('user_id')
    .union(selectByRole('owner_id'))
    .union(selectByRole('discoverer_id'))
    .execute()
  for (let start = 0; start < ids.length; start += EXPORT_PAGE_SIZE) {
    const pageIds = ids.slice(start, start + EXPORT_PAGE_SIZE).map((row) => row.id)
    const dogs = await db.selectFrom('dogs').selectAll().where('id', 'in', pageIds).execute()
    const images = await db
      .selectFrom('dog_images')
      .select(['dog_id', 'url', 'order', 'alt'])
      .where('dog_id', 'in', pageIds)
      .orderBy('dog_id')
      .orderBy('order')
      .execute()
    const hidden = await readQuarantinedPhotos(db, pageIds)
    for (const dog of dogs) yield { dog, images: mergeGallery(dog.id, images, hidden), hidden: false }
  }
  for await (const item of readQuarantinedDogsOf(db, userId)) {
    const { dog, images } = parseQuarantinedDog(item)
    const open = images.map((image) => ({ ...image, alt: image.alt ?? null }))
    const all = mergeGallery(dog.id, open, await readQuarantinedPhotos(db, [dog.id]))
    yield { dog, images: all.map((image) => ({ ...image, hidden: true })), hidden: true }
  }
}

interface MemberDogImage {
  dog_id: string
  url: string
  order: number
  alt: string | null
}

/** A dog's photos with the individually quarantined ones last, numbered consecutively: each is a file of the archive. */
function mergeGallery(dogId: string, images: readonly MemberDogImage[], quarantined: readonly MemberDogImage[]) {
  const ofDog = (list: readonly MemberDogImage[], hidden: boolean) =>
    list.filter(({ dog_id }) => dog_id === dogId).map((image) => ({ ...image, hidden }))
  return [...ofDog(images, false), ...ofDog(quarantined, true)].map((image, order) => ({ ...image, order }))
}

/** Individually quarantined photos of the dogs, in order of their quarantine. */
async function readQuarantinedPhotos(db: Db, dogIds: readonly string[]): Promise<MemberDogImage[]> {
  const rows = await db
    .selectFrom('held')
    .select('snapshot')
    .where('kind', '=', 'photo')
    .where('dog_id', 'in', dogIds)
    .orderBy('created_at')
    .execute()
  return rows.map(({ snapshot }) => {
    const { image } = JSON.parse(snapshot) as QuarantinedPhoto
    return { ...image, alt: image.alt ?? null }
  })
}
