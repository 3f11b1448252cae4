import type { Trx } from '#db/client.ts'
import type { DogEvent } from '#features/live/live.ts'
import { publish } from '#features/live/live.server.ts'

/** Publishes to open pages that a dog was added, changed, or removed. Call it at the end of the action's transaction. */
export const publishDogEvent = (trx: Trx, action: DogEvent['action'], dogId: string, now = Date.now()): Promise<void> =>
  publish(trx, { type: 'dog', dogId, action }, now)
