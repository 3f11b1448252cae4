import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { isGeneratedAlias } from '#features/profiles/profiles.ts'
import type { ALIAS_STEP, ALL_STEPS } from './first-days.ts'

const selectFacts = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectNoFrom(({ exists, selectFrom }) => [
    exists(
      selectFrom('first_days').select('step').where('user_id', '=', userId).where('step', 'in', ['alias', 'all']),
    ).as('isClosed'),
    exists(selectFrom('comments').select('id').where('user_id', '=', userId)).as('hasCommented'),
  ]),
)

/** Whether the member's profile asks for an alias and an emoji: others see a dog or a comment of theirs under a generated alias. */
export async function isAliasAsked(
  db: Db,
  { id, alias, dogs }: { id: string; alias: string; dogs: number },
): Promise<boolean> {
  if (!isGeneratedAlias(alias)) return false
  const [facts] = await selectFacts(db, { userId: id })
  return !facts?.isClosed && (dogs > 0 || Boolean(facts?.hasCommented))
}

/** Dismisses a step for good. */
export async function closeStep(
  db: Db,
  userId: string,
  step: typeof ALIAS_STEP | typeof ALL_STEPS,
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
