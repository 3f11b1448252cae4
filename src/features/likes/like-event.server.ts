import type { NewEvent } from '#features/live/live.server.ts'
import { type AppError, notFound } from '#lib/errors.ts'

export interface LikeChange {
  /** The like's. */
  id: string
  dogId: string
  liked: boolean
  /** Whose it is; left out where nobody may know. */
  actorId?: string
  /** The only member who receives it; everybody by default. */
  userId?: string
}

/** The event that a dog's likes have changed. */
export const likeEvent = ({ id, ...change }: LikeChange): NewEvent => ({ type: 'like', thingId: id, ...change })

export const dogNotFound = (): AppError => notFound('El perro que buscas no existe o ha sido eliminado.')
