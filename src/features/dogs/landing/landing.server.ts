import type { Db } from '#db/client.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { findDog } from '#features/dogs/dog.server.ts'
import { canEditDog } from '#features/dogs/dogs.ts'
import { getMember } from '#features/profiles/member.server.ts'
import { isUuid } from '#lib/identifiers.ts'
import type { Landing } from './landing.ts'

/** What the landing of a member's new sticker shows (docs/product.md §11.8); undefined for a member who is none of the dog's people. */
export async function loadLanding(db: Db, userId: string | undefined, dogId: string): Promise<Landing | undefined> {
  if (userId === undefined || !isUuid(dogId)) return undefined
  const dog = await findDog(db, dogId)
  if (!dog || !canEditDog(dog, userId)) return undefined
  const breed = (await getCatalogue(db)).bySlug.get(dog.breed_slug)
  const member = await getMember(db, userId)
  return {
    dog,
    place: breed && member ? { number: breed.number, breeds: member.breeds, total: totalBreeds } : null,
    isDiscovery: dog.discoverer_id === userId && dog.owner_id !== userId,
  }
}
