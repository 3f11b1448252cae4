import { readFile } from 'node:fs/promises'
import type { Db } from '#db/client.ts'
import { parseQuarantinedDog, participantsOf, photosOfQuarantined } from '#features/dogs/quarantine.server.ts'
import { findQuarantined } from '#features/moderation/quarantine.server.ts'
import { quarantinedPhotoFile, photoFile } from '#features/photos/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { type AdminRequester, isAdmin } from '#lib/auth/admin.ts'
import { notFound } from '#lib/errors.ts'

/**
 * The bytes of a photo that is out of sight, for its dog's people and the admin. Whoever else asks learns as little as of
 * a photo that never was.
 * @param name the photo's file name, as it was in public
 * @throws AppError 404 for what is not held, not there, or not theirs
 */
export async function readQuarantinedPhoto(
  db: Db,
  dataDir: string,
  asker: AdminRequester,
  name: string,
): Promise<Buffer> {
  const url = `/photos/${name}`
  if (!photoName(url) || !(await canSeePhoto(db, asker, url))) throw photoNotFound()
  // Still in public where the disk kept it from being moved.
  for (const file of [quarantinedPhotoFile(dataDir, name), photoFile(dataDir, name)]) {
    const bytes = await readFile(file).catch(() => null)
    if (bytes) return bytes
  }
  throw photoNotFound()
}

const photoNotFound = () => notFound('Esta foto no existe o ya no está.')

async function canSeePhoto(db: Db, { user, adminEmail }: AdminRequester, url: string): Promise<boolean> {
  if (!user) return false
  const dogId = url.slice('/photos/'.length).slice(0, 36)
  const rows = await db
    .selectFrom('held')
    .selectAll()
    .where('dog_id', '=', dogId)
    .where('kind', 'in', ['dog', 'photo'])
    .execute()
  if (!rows.some((row) => photosOfQuarantined(row).includes(url))) return false
  return isAdmin(user, adminEmail) || (await findDogParticipants(db, dogId)).includes(user.id)
}

/** Whose the dog is now, in the open or held: owner, discoverer and who added it. */
async function findDogParticipants(db: Db, dogId: string): Promise<(string | null)[]> {
  const held = await findQuarantined(db, 'dog', dogId)
  if (held) return participantsOf(parseQuarantinedDog(held))
  const dog = await db
    .selectFrom('dogs')
    .select(['owner_id', 'discoverer_id', 'user_id'])
    .where('id', '=', dogId)
    .executeTakeFirst()
  return dog ? [dog.owner_id, dog.discoverer_id, dog.user_id] : []
}
