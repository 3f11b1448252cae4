import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { isGeneratedAlias } from '#features/profiles/profiles.ts'
import { ALIAS_STEP, ALL_STEPS } from './first-days.ts'

const latestMessage = sql<number>`(SELECT max(created_at) FROM contact_messages WHERE thread_id = t.id)`

const selectFacts = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectNoFrom(({ exists, selectFrom }) => [
    exists(
      selectFrom('first_days')
        .select('step')
        .where('user_id', '=', userId)
        .where('step', 'in', [ALIAS_STEP, ALL_STEPS]),
    ).as('isClosed'),
    exists(selectFrom('comments').select('id').where('user_id', '=', userId)).as('hasCommented'),
    selectFrom('contact_threads as t')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where((eb) =>
        eb.or([
          eb('member_id', '=', userId).and('member_seen_at', '<', latestMessage),
          eb('finder_id', '=', userId).and('finder_seen_at', '<', latestMessage),
        ]),
      )
      .as('unread'),
  ]),
)

/**
 * What the member's own profile asks and tells, in one statement: whether it asks for an alias and an emoji, since others see a dog or a comment
 * of theirs under a generated alias, and how many conversations have a message that they have not read.
 */
export async function loadOwnFacts(
  db: Db,
  { id, alias, dogs }: { id: string; alias: string; dogs: number },
): Promise<{ isAliasAsked: boolean; unread: number }> {
  const [facts] = await selectFacts(db, { userId: id })
  const isAliasAsked = isGeneratedAlias(alias) && !facts?.isClosed && (dogs > 0 || Boolean(facts?.hasCommented))
  return { isAliasAsked, unread: Number(facts?.unread ?? 0) }
}

/** Dismisses a step for good. */
export async function closeStep(
  db: Db,
  userId: string,
  step: typeof ALIAS_STEP | typeof ALL_STEPS,
  now = Date.now(),
): Promise<void> {
  await transact(db, (trx) =>
    trx
      .insertInto('first_days')
      .values({ user_id: userId, step, closed_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
