import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'

/**
 * How many sightings a case has, as everybody may know: without those that wait for the admin, that the owner refused, and of members who
 * wait for their deletion. By index sightings_case.
 */
export const countSightings = (db: Db, caseId: string): Promise<number> =>
  countRows(db.selectFrom('sightings').where('case_id', '=', caseId).where('state', '=', 'delivered'))
