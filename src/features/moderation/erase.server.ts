import type { Db } from '#db/client.ts'
import type { TargetKind } from '#db/schema.ts'

const ERASED_LABEL = 'Algo de una cuenta eliminada'

export interface ErasedTarget {
  kind: TargetKind
  thing_id: string
}

/** Deletes the member's quarantined comments and profile; bans and blocks go with the account. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('held').where('user_id', '=', userId).where('kind', 'in', ['comment', 'profile']).execute()
}

/**
 * Erases a leaving member from the decisions: deletes their appeals and cases, and redacts the target and the reason in the
 * log. The log still says what was done, when and by which admin, and no longer to whom. Decisions that also concern
 * another member stay. Call it after dogs and comments are erased, inside a transaction.
 * @returns targets that went with the member; the caller deletes their reports
 */
export async function eraseCases(trx: Db, userId: string): Promise<ErasedTarget[]> {
  const cases = await trx
    .selectFrom('cases as c')
    .leftJoin('dogs as d', 'd.id', 'c.dog_id')
    .leftJoin('held as h', (join) => join.onRef('h.thing_id', '=', 'c.dog_id').on('h.kind', '=', 'dog'))
    .select(['c.id', 'c.kind', 'c.thing_id', 'c.user_id', 'd.id as dog_id', 'h.thing_id as held_id'])
    .where((eb) =>
      eb.or([
        eb('c.user_id', '=', userId),
        eb.and([eb('c.kind', '=', 'profile'), eb('c.thing_id', '=', userId)]),
        eb(
          'c.id',
          'in',
          eb
            .selectFrom('decision_people as a')
            .innerJoin('decisions as t', 't.id', 'a.decision_id')
            .select('t.case_id')
            .where('a.user_id', '=', userId)
            .where('t.case_id', 'is not', null),
        ),
      ]),
    )
    .execute()
  const memberDecisions = await trx
    .deleteFrom('decision_people')
    .where('user_id', '=', userId)
    .returning('decision_id')
    .execute()
  for (const { decision_id: id } of memberDecisions)
    if (!(await concernsOthers(trx, { decision: id }))) await redactDecisions(trx, { column: 'id', id })

  const erased: ErasedTarget[] = []
  for (const { id, kind, thing_id, user_id, dog_id, held_id } of cases) {
    if ((user_id !== null && user_id !== userId) || (await concernsOthers(trx, { case: id }))) continue
    await redactDecisions(trx, { column: 'case_id', id })
    if ((kind === 'dog' || kind === 'photo') && (dog_id ?? held_id) !== null) continue
    await trx.deleteFrom('cases').where('id', '=', id).execute()
    erased.push({ kind, thing_id })
  }
  return erased
}

/** Whether the decision, or any decision of the case, concerns another member too. */
async function concernsOthers(trx: Db, scope: { decision: string } | { case: string }): Promise<boolean> {
  const people = trx.selectFrom('decision_people as a').select('a.user_id').limit(1)
  const found =
    'decision' in scope
      ? people.where('a.decision_id', '=', scope.decision)
      : people.innerJoin('decisions as d', 'd.id', 'a.decision_id').where('d.case_id', '=', scope.case)
  return (await found.executeTakeFirst()) !== undefined
}

const redactDecisions = (trx: Db, { column, id }: { column: 'id' | 'case_id'; id: string }) =>
  trx.updateTable('decisions').set({ what: ERASED_LABEL, reason: '', thing_id: '' }).where(column, '=', id).execute()
