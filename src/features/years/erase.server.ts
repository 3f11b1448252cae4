import type { Trx } from '#db/client.ts'

/** Deletes at most `limit` years of others that name the member: they are computed again without them. @returns how many */
export async function eraseYearsNaming(trx: Trx, userId: string, limit: number): Promise<number> {
  const rows = trx.selectFrom('member_years').select(['user_id', 'year']).where('fan_id', '=', userId).limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('member_years')
    .where(({ eb, refTuple }) => eb(refTuple('user_id', 'year'), 'in', rows.$asTuple('user_id', 'year')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
