import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { madridDay } from '#lib/dates.ts'
import { madridYear } from './years.ts'

/**
 * Deletes the years that cannot be looked back on any more, their links, and the runs of earlier days' «Tal día».
 * @returns rows deleted
 */
export async function deleteExpiredYears(db: Db, now: number): Promise<number> {
  // In December two years can be seen, from January on one.
  const oldest = madridYear(now) - 1
  const deleted = [
    await transact(db, (trx) => trx.deleteFrom('member_years').where('year', '<', oldest).executeTakeFirstOrThrow()),
    await transact(db, (trx) => trx.deleteFrom('year_links').where('year', '<', oldest).executeTakeFirstOrThrow()),
    await transact(db, (trx) =>
      trx.deleteFrom('memory_runs').where('day', '<', madridDay(now)).executeTakeFirstOrThrow(),
    ),
  ]
  return deleted.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
}
