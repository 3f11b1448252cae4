import type { Db } from '#db/client.ts'
import { AppError } from '#lib/errors.ts'
import { DETECTION_TEXTS } from './detection.ts'

const DAY_MS = 86_400_000
const BUDGET_NAME = 'breed-detections'

/**
 * Takes one of the questions that the whole site may ask in 24 hours, counted from the first one on. In the database: each
 * costs the operator, and a site that restarts often would ask as many times more.
 * @throws AppError 429 with Retry-After
 */
export async function spendDetection(db: Db, most: number, now = Date.now()): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom('daily_budgets').selectAll().where('name', '=', BUDGET_NAME).executeTakeFirst()
    // A clock that was set back counts for nothing.
    const isCurrent = row !== undefined && row.since <= now && now - row.since < DAY_MS
    const { used, since } = isCurrent ? row : { used: 0, since: now }
    if (used >= most) throw new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: (since + DAY_MS - now) / 1000 })
    const next = { used: used + 1, since }
    await trx
      .insertInto('daily_budgets')
      .values({ name: BUDGET_NAME, ...next })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(next))
      .execute()
  })
}
