import type { AppError } from '#lib/errors.ts'
import { spendDetection } from '#features/detection/daily-budget.server.ts'
import { assert, dbSuite, pick } from '#tests/support/suites.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 22, 12)

const budget = dbSuite('unit/detection/daily-budget')

const rejectionOf = async (deed: Promise<void>): Promise<AppError> =>
  deed.then(
    () => assert.unreachable('it was let through'),
    (error: AppError) => error,
  ) as Promise<AppError>

budget('the budget begins with the first request and ends a day later', async ({ db }) => {
  for (let n = 0; n < 3; n++) await spendDetection(db, 3, NOON + n * HOUR)
  const over = await rejectionOf(spendDetection(db, 3, NOON + 4 * HOUR))
  assert.equal([over.status, over.retryAfter], [429, 20 * 3600])
  await rejectionOf(spendDetection(db, 3, NOON + 24 * HOUR - 1))
  await spendDetection(db, 3, NOON + 24 * HOUR)
  assert.equal(pick(await db.selectFrom('daily_budgets').selectAll().execute(), 'used', 'since'), [
    [1, NOON + 24 * HOUR],
  ])
})

budget('simultaneous requests do not exceed the budget', async ({ db }) => {
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => spendDetection(db, 5, NOON)))
  assert.is(asked.filter(({ status }) => status === 'fulfilled').length, 5)
})

budget('the budget follows the setting, and begins again after the clock was set back', async ({ db }) => {
  for (let n = 0; n < 3; n++) await spendDetection(db, 3, NOON)
  await spendDetection(db, 4, NOON)
  await rejectionOf(spendDetection(db, 4, NOON))
  await spendDetection(db, 4, NOON - HOUR)
})
