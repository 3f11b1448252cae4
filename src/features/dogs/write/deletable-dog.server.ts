import type { Db } from '#db/client.ts'
import { readQuarantined } from '#features/moderation/quarantine.server.ts'
import { quarantinedPhotoUrl } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import type { DeletableDog } from '../deletion/deletion.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { canEditDog } from '../dogs.ts'
import { parseQuarantinedDog } from '../quarantine.server.ts'
import { requireEditableDog } from './edit.server.ts'

/**
 * The dog, also a quarantined one, for a member who may delete it (docs/product.md §19.1).
 * @throws AppError 401, 403, 404
 */
export async function getDeletableDog(db: Db, requester: Requester, id: string): Promise<DeletableDog> {
  const item = requester && (await readQuarantined(db, 'dog', id))
  const isOwnQuarantined = item && canEditDog(item, requester.id)
  const dog = isOwnQuarantined
    ? parseQuarantinedDog(item).dog
    : (await requireEditableDog(db, requester, id, { mayBeBanned: true })).row
  return {
    id,
    name: dog.name,
    breed: dog.breed,
    path: paths.dog(dog),
    photoUrl: isOwnQuarantined ? quarantinedPhotoUrl(dog.photo_url) : dog.photo_url,
  }
}
