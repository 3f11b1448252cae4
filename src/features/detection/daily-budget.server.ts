import type { Db } from '#db/client.ts'
import { spendDailyBudgets } from '#features/photos/daily-budget.server.ts'
import { AppError } from '#lib/errors.ts'
import { DETECTION_TEXTS } from './detection.ts'

const BUDGET_NAME = 'breed-detections'

/**
 * Takes one detection from the site's budget of 24 hours.
 * @param budget detections in 24 hours
 * @throws AppError 429 with Retry-After
 */
export async function spendDetection(db: Db, budget: number, now = Date.now()): Promise<void> {
  const spent = await spendDailyBudgets(db, [{ name: BUDGET_NAME, budget }], 1, now)
  if (spent) throw new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: spent.retryAfter })
}
