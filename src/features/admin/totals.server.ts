import type { Db } from '#db/client.ts'
import { type AdminAsker, mustAdmin } from './rights.server.ts'

/** How many members and dogs there are, from the kept counts: at most breeds x 6 rows. @throws AppError 401, 403 */
export async function loadAdminTotals(db: Db, asker: AdminAsker): Promise<{ members: number; dogs: number }> {
  mustAdmin(asker)
  const profiles = await db.selectFrom('totals').select('value').where('name', '=', 'profiles').executeTakeFirst()
  const tallies = await db
    .selectFrom('dog_tallies')
    .select((eb) => eb.fn.sum<number | null>('dogs').as('dogs'))
    .executeTakeFirst()
  return { members: profiles?.value ?? 0, dogs: Number(tallies?.dogs ?? 0) }
}
