import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { HOUR_MS } from '#lib/time.ts'

/** A case without its action: the exact point is in Getafe, or as many degrees from there as asked, and what others see is elsewhere. @returns its id */
export async function addLostCase(
  db: Db,
  {
    dogId,
    ownerId,
    since,
    offset = { lat: 0, lon: 0 },
  }: { dogId: string; ownerId: string; since?: number; offset?: { lat: number; lon: number } },
): Promise<string> {
  const id = randomUUID()
  const now = Date.now()
  await db
    .insertInto('lost_history')
    .values({ dog_id: dogId, owner_id: ownerId, offset_north_m: 200, offset_east_m: 100 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('lost_cases')
    .values({
      id,
      dog_id: dogId,
      owner_id: ownerId,
      since: since ?? now - HOUR_MS,
      zone: 'Getafe, Madrid',
      province: '28',
      lat: 40.30571 + offset.lat,
      lon: -3.73291 + offset.lon,
      shown_lat: 40.307 + offset.lat,
      shown_lon: -3.735 + offset.lon,
      help: '',
      chip: null,
      code: randomUUID().slice(0, 8),
      opened_at: now,
      updated_at: now,
      questions: 0,
      asked_at: null,
      due_at: now + 72 * HOUR_MS,
    })
    .execute()
  return id
}
