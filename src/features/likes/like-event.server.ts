import type { EventValues } from '#features/live/live.server.ts'
import type { StoredEvents } from '#features/live/live.ts'
import { type AppError, notFound } from '#lib/errors.ts'

/** A dog whose likes change, with their number after the change. */
interface ChangedDog {
  id: string
  votes: number
  owner_id: string | null
  discoverer_id: string | null
}

export interface LikeChange {
  /** The like's. */
  id: string
  dog: ChangedDog
  /** Whose it is; empty where nobody may know. */
  userId: string
  liked: boolean
  /** ms */
  at: number
  /** The only member who receives it; everybody by default. */
  addressee?: string
}

/** The event that a dog's likes have changed. */
export function likeEvent({ id, dog, userId, liked, at, addressee }: LikeChange): EventValues {
  const data: StoredEvents['like'] = {
    id,
    dog_id: dog.id,
    user_id: userId,
    liked,
    likes: dog.votes,
    owner_id: dog.owner_id,
    discoverer_id: dog.discoverer_id,
    created_at: at,
  }
  return { type: 'like', user_id: addressee ?? null, data: JSON.stringify(data), created_at: at }
}

export const dogNotFound = (): AppError => notFound('El perro que buscas no existe o ha sido eliminado.')
