import type { Db } from '#db/client.ts'
import { commentsOf } from '#features/comments/comments.server.ts'
import { likedAmong, newestLikers } from '#features/likes/likes.server.ts'
import { peopleOf } from '../dog.server.ts'
import type { Dog } from '../dogs.ts'
import { ownershipView } from '../ownership.server.ts'

/**
 * Everything a dog's page shows besides the dog: people, newest comments, first liker; and what who is looking likes
 * and can say about whose it is.
 */
export async function loadDogPage(db: Db, dog: Dog, user: { id: string } | null) {
  const people = await peopleOf(db, dog)
  const comments = await commentsOf(db, dog.id, { user })
  const [first] = await newestLikers(db, dog.id, 1, user)
  const liked = (await likedAmong(db, user?.id ?? null, [dog.id])).has(dog.id)
  const ownership = await ownershipView(db, dog, user)
  return { ...people, ownership, comments, liked, firstLiker: first?.alias ?? '' }
}
