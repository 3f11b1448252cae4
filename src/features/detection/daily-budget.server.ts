import type { Db } from '#db/client.ts'
import { AppError } from '#lib/errors.ts'
import { DETECTION_TEXTS } from './detection.ts'

const DAY_MS = 86_400_000
const BUDGET_NAME = 'breed-detections'

/**
 * Takes one detection from the site's budget of 24 hours, which start with the first one. The count is in the database, since
 * each detection costs the operator and a restart must not reset it.
 * @param budget detections in 24 hours
 * @throws AppError 429 with Retry-After
 */
export async function spendDetection(db: Db, budget: number, now = Date.now()): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom('daily_budgets').selectAll().where('name', '=', BUDGET_NAME).executeTakeFirst()
    // A window that starts in the future, after the clock was set back, is ignored.
    const isCurrent = row !== undefined && row.since <= now && now - row.since < DAY_MS
    const { used, since } = isCurrent ? row : { used: 0, since: now }
    if (used >= budget) throw new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: (since + DAY_MS - now) / 1000 })
    const next = { used: used + 1, since }
    await trx
      .insertInto('daily_budgets')
      .values({ name: BUDGET_NAME, ...next })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(next))
      .execute()
  })
}
