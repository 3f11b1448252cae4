import type { Trx as Db } from '#db/client.ts'
import { HOUR_MS } from '#lib/time.ts'
import { addLostCase as addCase } from '../lost/lost-case.ts'

/** A case without its action: the exact point is in Getafe, or as many degrees from there as asked, and what others see is elsewhere. @returns its id */
export const addLostCase = (
  db: Db,
  {
    dogId,
    ownerId,
    since = Date.now() - HOUR_MS,
    offset = { lat: 0, lon: 0 },
  }: { dogId: string; ownerId: string; since?: number; offset?: { lat: number; lon: number } },
): Promise<string> => {
  const [point, shown] = [
    { lat: 40.30571 + offset.lat, lon: -3.73291 + offset.lon },
    { shown_lat: 40.307 + offset.lat, shown_lon: -3.735 + offset.lon },
  ]
  return addCase(db, { dog_id: dogId, owner_id: ownerId, since, ...point, ...shown })
}
