import type { Db } from '#db/client.ts'
import type { TargetKind } from '#db/schema.ts'

const ERASED_LABEL = 'Algo de una cuenta eliminada'

export interface ErasedTarget {
  kind: TargetKind
  thing_id: string
}

/** Takes what the member wrote and is out of sight; bans and blocks go with the account. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('held').where('user_id', '=', userId).where('kind', 'in', ['comment', 'profile']).execute()
}

/**
 * Takes a leaving member from everything that was ever decided: their answers, their cases, and from the log what a thing
 * of theirs was and why it was dealt with. That something was done, when and by which admin stays, of whom nobody can
 * tell. What also concerned somebody who is still here stays theirs. After dogs and comments; inside a transaction.
 * @returns what went with the member, of which whoever keeps reports forgets them
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
  const told = await trx.deleteFrom('decision_people').where('user_id', '=', userId).returning('decision_id').execute()
  for (const { decision_id: id } of told)
    if (!(await concernsOthers(trx, { decision: id }))) await redactDecisions(trx, { column: 'id', id })

  const gone: ErasedTarget[] = []
  for (const { id, kind, thing_id, user_id, dog_id, held_id } of cases) {
    if ((user_id !== null && user_id !== userId) || (await concernsOthers(trx, { case: id }))) continue
    await redactDecisions(trx, { column: 'case_id', id })
    if ((kind === 'dog' || kind === 'photo') && (dog_id ?? held_id) !== null) continue
    await trx.deleteFrom('cases').where('id', '=', id).execute()
    gone.push({ kind, thing_id })
  }
  return gone
}

/** Somebody else was told of the decision, or of any of the case. */
async function concernsOthers(trx: Db, of: { decision: string } | { case: string }): Promise<boolean> {
  const people = trx.selectFrom('decision_people as a').select('a.user_id').limit(1)
  const found =
    'decision' in of
      ? people.where('a.decision_id', '=', of.decision)
      : people.innerJoin('decisions as d', 'd.id', 'a.decision_id').where('d.case_id', '=', of.case)
  return (await found.executeTakeFirst()) !== undefined
}

const redactDecisions = (trx: Db, { column, id }: { column: 'id' | 'case_id'; id: string }) =>
  trx.updateTable('decisions').set({ what: ERASED_LABEL, reason: '', thing_id: '' }).where(column, '=', id).execute()
