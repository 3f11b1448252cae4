import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { isLeaving } from '#features/moderation/leaving-members.server.ts'

/**
 * How many sightings a case has, as everybody may know: without those that wait for the admin, that the owner refused, and of members who
 * wait for their deletion. By index sightings_case.
 */
export async function countSightings(db: Db, caseId: string): Promise<number> {
  const count = await countRows(
    db
      .selectFrom('sightings')
      .where('case_id', '=', caseId)
      .where('state', '=', 'delivered')
      .where(({ not }) => not(isLeaving('sightings.member_id'))),
  )
  return count
}
