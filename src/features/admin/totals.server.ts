import type { Db } from '#db/client.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'

/** Counts members and dogs from the counter tables: reads at most breeds x 6 rows. @throws AppError 401, 403 */
export async function loadAdminTotals(db: Db, requester: AdminRequester): Promise<{ members: number; dogs: number }> {
  assertAdmin(requester)
  const profiles = await db.selectFrom('totals').select('value').where('name', '=', 'profiles').executeTakeFirst()
  const dogTallies = await db
    .selectFrom('dog_tallies')
    .select((eb) => eb.fn.sum<number | null>('dogs').as('dogs'))
    .executeTakeFirst()
  return { members: profiles?.value ?? 0, dogs: Number(dogTallies?.dogs ?? 0) }
}
