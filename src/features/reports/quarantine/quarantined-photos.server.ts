import type { Db } from '#db/client.ts'
import { findQuarantined, isPhotoQuarantined } from '#features/moderation/quarantine.server.ts'
import { photoKey, quarantinedPhotoKey } from '#features/photos/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { type AdminRequester, isAdmin } from '#lib/auth/current-user.ts'
import { notFound } from '#lib/errors.ts'

/**
 * Reads the bytes of a quarantined photo, for its dog's people and the admin. Others get the same 404 as for a photo that
 * never existed.
 * @param name the photo's public file name
 * @throws AppError 404 for a photo that is not quarantined, is missing, or is not theirs
 */
export async function readQuarantinedPhoto(
  db: Db,
  dataDir: string,
  requester: AdminRequester,
  name: string,
): Promise<Buffer> {
  const url = `/photos/${name}`
  if (!photoName(url) || !(await canSeePhoto(db, requester, url))) throw photoNotFound()
  // The file is still in the public folder where the store refused the move.
  for (const key of [quarantinedPhotoKey(name), photoKey(name)]) {
    const bytes = await photoStore(dataDir).get(key)
    if (bytes) return bytes
  }
  throw photoNotFound()
}

const photoNotFound = () => notFound('Esta foto no existe o ya no está.')

async function canSeePhoto(db: Db, { user, adminEmail }: AdminRequester, url: string): Promise<boolean> {
  if (!user) return false
  const dogId = url.slice('/photos/'.length).slice(0, 36)
  if (!(await isPhotoQuarantined(db, dogId, url))) return false
  return isAdmin(user, adminEmail) || (await findDogParticipants(db, dogId)).includes(user.id)
}

/** Ids of owner, discoverer and uploader of a public or quarantined dog. */
async function findDogParticipants(db: Db, dogId: string): Promise<(string | null)[]> {
  const item = await findQuarantined(db, 'dog', dogId)
  if (item) return [item.owner_id, item.discoverer_id, item.uploader_id]
  const dog = await db
    .selectFrom('dogs')
    .select(['owner_id', 'discoverer_id', 'user_id'])
    .where('id', '=', dogId)
    .executeTakeFirst()
  return dog ? [dog.owner_id, dog.discoverer_id, dog.user_id] : []
}
