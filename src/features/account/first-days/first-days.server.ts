import type { Db } from '#db/client.ts'
import { readHomeZone } from '#features/nearby/home-zone/home-zone.server.ts'
import { ALL_STEPS, type Step, type StepView, toStepViews } from './first-days.ts'

/**
 * The steps that the member's profile shows; none once all are done or dismissed, which is stored then, so that they do not come back with a
 * dog that is deleted.
 */
export async function loadFirstDays(
  db: Db,
  { id, alias, dogs }: { id: string; alias: string; dogs: number },
  now = Date.now(),
): Promise<StepView[]> {
  const rows = await db.selectFrom('first_days').select('step').where('user_id', '=', id).execute()
  const closed = new Set(rows.map(({ step }) => step))
  if (closed.has(ALL_STEPS)) return []
  const guess = await db
    .selectFrom('riddle_guesses')
    .select('day')
    .where('user_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  const hasZone = (await readHomeZone(db, id)) !== null
  const steps = toStepViews(closed, { alias, dogs, hasPlayed: guess !== undefined, hasZone })
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
