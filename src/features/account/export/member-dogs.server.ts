import type { Db } from '#db/client.ts'
import { photoName } from '#features/photos/photos.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

/** A photo's path in the archive; null for drawings and other addresses that are not photo files. */
export const toArchivePath = (dog: { path_breed: string; path_slug: string }, image: { url: string; order: number }) =>
  photoName(image.url) && `fotos/${dog.path_breed}/${dog.path_slug}/${image.order + 1}.jpg`

/**
 * The dogs that the member owns, discovered or added, hidden ones included, with their photos: those that are hidden by themselves last, numbered
 * with the others, since each is a file of the archive.
 */
export async function* readMemberDogs(db: Db, userId: string) {
  const selectByRole = (role: 'user_id' | 'owner_id' | 'discoverer_id') =>
    db.selectFrom('dogs_all').select('id').where(role, '=', userId)
  const ids = await selectByRole('user_id')
    .union(selectByRole('owner_id'))
    .union(selectByRole('discoverer_id'))
    .execute()
  for (let start = 0; start < ids.length; start += EXPORT_PAGE_SIZE) {
    const pageIds = ids.slice(start, start + EXPORT_PAGE_SIZE).map((row) => row.id)
    const dogs = await db.selectFrom('dogs_all').selectAll().where('id', 'in', pageIds).orderBy('hidden').execute()
    const images = await db
      .selectFrom('dog_images_all')
      .select(['dog_id', 'url', 'order', 'alt', 'hidden'])
      .where('dog_id', 'in', pageIds)
      .orderBy('dog_id')
      .orderBy((eb) => eb.case().when('hidden', '=', 0).then(0).else(1).end())
      .orderBy((eb) => eb.fn<number>('abs', ['order']))
      .execute()
    for (const dog of dogs) {
      const isHidden = dog.hidden !== 0
      const gallery = images.filter(({ dog_id }) => dog_id === dog.id)
      yield {
        dog,
        images: gallery.map((image, order) => ({ ...image, order, hidden: isHidden || image.hidden !== 0 })),
        hidden: isHidden,
      }
    }
  }
}
