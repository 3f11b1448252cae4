import type { Db } from '#db/client.ts'

/**
 * How many sightings a case has, as everybody may know: without those that wait for the admin, that the owner refused, and of members who
 * wait for their deletion. By index sightings_case.
 */
export async function countSightings(db: Db, caseId: string): Promise<number> {
  const { count } = await db
    .selectFrom('sightings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('case_id', '=', caseId)
    .where('state', '=', 'delivered')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_deletions')
            .select('user_id')
            .whereRef('account_deletions.user_id', '=', 'sightings.member_id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}
