import type { Db } from '#db/client.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import type { DeletableDog } from '../deletion/deletion.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { canEditDog } from '../dogs.ts'
import { findHiddenDog } from '../hidden-dogs.server.ts'
import { requireEditableDog } from './edit.server.ts'

/**
 * The dog, also a hidden one, for a member who may delete it (docs/product.md §19.1).
 * @throws AppError 401, 403, 404
 */
export async function getDeletableDog(db: Db, requester: Requester, id: string): Promise<DeletableDog> {
  const hidden = requester && (await findHiddenDog(db, id))
  const isOwnHidden = hidden && canEditDog(hidden, requester.id)
  const dog = isOwnHidden ? hidden : (await requireEditableDog(db, requester, id, { mayBeBanned: true })).row
  return {
    id,
    name: dog.name,
    breed: dog.breed,
    path: paths.dog(dog),
    photoUrl: isOwnHidden ? hiddenPhotoUrl(dog.photo_url) : dog.photo_url,
  }
}
