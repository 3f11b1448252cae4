import type { Db } from '#db/client.ts'
import { forgetPlaces } from './geocode.server.ts'

/** What Mapbox said longer ago than it counts. @returns rows gone */
export const sweep = (db: Db, now: number): Promise<number> => forgetPlaces(db, now)
