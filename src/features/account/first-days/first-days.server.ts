import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { ALL_STEPS, type Step, type StepView, toStepViews } from './first-days.ts'

/** A row for each step that is done with, one with a null where there is none; every row says what else the member has done. */
const selectSteps = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('first_days', 'first_days.user_id', 'users.id')
    .where('users.id', '=', userId)
    .select(({ exists, selectFrom }) => [
      'first_days.step',
      exists(selectFrom('riddle_guesses').select('day').where('user_id', '=', userId)).as('hasPlayed'),
      exists(selectFrom('home_zones').select('zone').where('user_id', '=', userId)).as('hasZone'),
    ]),
)

/**
 * The steps that the member's profile shows; none once all are done or dismissed, which is stored then, so that they do not come back with a
 * dog that is deleted.
 */
export async function loadFirstDays(
  db: Db,
  { id, alias, dogs }: { id: string; alias: string; dogs: number },
  now = Date.now(),
): Promise<StepView[]> {
  const rows = await selectSteps(db, { userId: id })
  const closed = new Set(rows.flatMap(({ step }) => step ?? []))
  if (closed.has(ALL_STEPS)) return []
  const steps = toStepViews(closed, {
    alias,
    dogs,
    hasPlayed: Boolean(rows[0]?.hasPlayed),
    hasZone: Boolean(rows[0]?.hasZone),
  })
  if (steps.some(({ isDone }) => !isDone)) return steps
  await closeStep(db, id, ALL_STEPS, now)
  return []
}

/** Dismisses a step for good. */
export async function closeStep(
  db: Db,
  userId: string,
  step: Step | typeof ALL_STEPS,
  now = Date.now(),
): Promise<void> {
  await db
    .insertInto('first_days')
    .values({ user_id: userId, step, closed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes what is stored of the member's first days. Call it inside a transaction. */
export async function eraseFirstDays(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('first_days').where('user_id', '=', userId).execute()
}
