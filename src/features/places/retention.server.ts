import type { Db } from '#db/client.ts'
import { deleteExpiredGeocodes } from './geocode.server.ts'

/** What Mapbox said longer ago than it counts. @returns rows gone */
export const deleteExpiredPlaceRows = (db: Db, now: number): Promise<number> => deleteExpiredGeocodes(db, now)
