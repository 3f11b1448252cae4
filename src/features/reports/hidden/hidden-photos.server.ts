import type { Db } from '#db/client.ts'
import { peopleOf } from '#features/dogs/hidden-dogs.server.ts'
import { findContent } from '#features/moderation/content.server.ts'
import { readOriginal } from '#features/photos/original.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { type AdminRequester, isAdmin } from '#lib/auth/current-user.ts'
import { notFound } from '#lib/errors.ts'

/**
 * Reads the bytes of a hidden photo, for its dog's people and the admin. Others get the same 404 as for a photo that
 * never existed.
 * @param name the photo's public file name
 * @throws AppError 404 for a photo that is not hidden, is missing, or is not theirs
 */
export async function readHiddenPhoto(
  db: Db,
  dataDir: string,
  requester: AdminRequester,
  name: string,
): Promise<Buffer> {
  const url = `/photos/${name}`
  if (!photoName(url) || !(await canSeePhoto(db, requester, url))) throw photoNotFound()
  const bytes = await readOriginal(dataDir, name)
  if (!bytes) throw photoNotFound()
  return bytes
}

const photoNotFound = () => notFound('Esta foto no existe o ya no está.')

async function canSeePhoto(db: Db, { user, adminEmail }: AdminRequester, url: string): Promise<boolean> {
  if (!user) return false
  const image = await findContent(db, 'photo', url)
  const dog = image && (await findContent(db, 'dog', image.dog_id))
  if (!dog || (image.hidden === 0 && dog.hidden === 0)) return false
  return isAdmin(user, adminEmail) || peopleOf(dog).includes(user.id)
}
