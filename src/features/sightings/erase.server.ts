import type { Trx } from '#db/client.ts'
import { deleteSightingPhotos } from '#db/sighting-photos.ts'

/** Deletes photos that the member sent, or that were sent of their dogs, at most `limit`: a photo is too large for all at once. @returns how many */
export const erasePhotos = (trx: Trx, userId: string, limit: number): Promise<number> =>
  deleteSightingPhotos(trx, { userId }, limit)
