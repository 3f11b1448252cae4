import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { DAY_MS } from '#lib/time.ts'

/** What everybody together may use of something in 24 hours, which begin with the first use. */
export interface DailyBudget {
  name: string
  /** In whatever unit is spent: questions, bytes. */
  budget: number
}

/** Why nothing was spent: the budget that is used up, and the seconds until it begins anew. */
export interface SpentBudget {
  name: string
  retryAfter: number
}

/**
 * Takes `amount` from all of `budgets`, or from none where one of them has too little left. The counts are in the database:
 * a restart must not reset what costs the operator money or disk.
 * @param trx gives everything back where it is rolled back
 * @returns null once it is spent
 */
export async function spendDailyBudgetsIn(
  trx: Trx,
  budgets: readonly DailyBudget[],
  amount: number,
  now = Date.now(),
): Promise<SpentBudget | null> {
  const rows: { name: string; used: number; since: number }[] = []
  for (const { name, budget } of budgets) {
    const row = await trx.selectFrom('daily_budgets').selectAll().where('name', '=', name).executeTakeFirst()
    const { used, since } = row && isCurrent(row.since, now) ? row : { used: 0, since: now }
    if (used + amount > budget) return { name, retryAfter: (since + DAY_MS - now) / 1000 }
    rows.push({ name, used: used + amount, since })
  }
  for (const { name, ...next } of rows)
    await trx
      .insertInto('daily_budgets')
      .values({ name, ...next })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(next))
      .execute()
  return null
}

/** The same in a transaction of its own. */
export const spendDailyBudgets = (
  db: Db,
  ...rest: [readonly DailyBudget[], number, number?]
): Promise<SpentBudget | null> => transact(db, (trx) => spendDailyBudgetsIn(trx, ...rest))

/** A window that starts in the future, after the clock was set back, is ignored. */
const isCurrent = (since: number, now: number): boolean => since <= now && now - since < DAY_MS

/** What is used of a budget now, for the doctor. */
export async function readDailyUse(db: Db, name: string, now: number): Promise<number> {
  const row = await db.selectFrom('daily_budgets').select(['used', 'since']).where('name', '=', name).executeTakeFirst()
  return row && isCurrent(row.since, now) ? row.used : 0
}
