import type { Db } from '#db/client.ts'
import { listCommentsOfDog } from '#features/comments/comments.server.ts'
import { filterLikedIds, newestLikers } from '#features/likes/likes.server.ts'
import { findOpenCase, wasThanked } from '#features/lost/open-cases.server.ts'
import { findDogPeople } from '#features/dogs/dog.server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { countSightings } from '#features/lost/sighting-count.server.ts'
import { summariseOpinions } from '#features/opinions/tally.server.ts'
import { loadOwnershipView } from '#features/dogs/ownership/ownership.server.ts'

/**
 * The data of a dog's page besides the dog: people, newest comments and liker, opinions on its breed, and for the viewer the like and the ownership
 * section.
 */
export async function loadDogPage(db: Db, dog: Dog, user: { id: string } | null) {
  const people = await findDogPeople(db, dog)
  const comments = await listCommentsOfDog(db, dog.id, { user })
  const [first] = await newestLikers(db, dog.id, 1, user)
  const liked = (await filterLikedIds(db, user?.id ?? null, [dog.id])).has(dog.id)
  const ownership = await loadOwnershipView(db, dog, user)
  const lost = dog.lost ? await findOpenCase(db, dog.id) : null
  const sightings = lost ? await countSightings(db, lost.id) : 0
  const isThankful = lost === null && (await wasThanked(db, dog.id))
  const opinions = await summariseOpinions(db, dog, user)
  return {
    ...people,
    lost,
    sightings,
    isThankful,
    ownership,
    opinions,
    comments,
    liked,
    firstLiker: first ?? null,
  }
}
