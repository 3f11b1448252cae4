import type { Db, Trx } from '#db/client.ts'
import type { TargetKind } from '#db/schema.ts'

const ERASED_LABEL = 'Algo de una cuenta eliminada'

export interface ErasedTarget {
  kind: TargetKind
  thing_id: string
}

// A leaving member is erased from the decisions: their appeals and cases are deleted, and the target and the reason redacted in
// the log. The log still says what was done, when and by which admin, without the member. Decisions that also concern another
// member stay. After dogs and comments are erased: first the cases, then the decisions by which these are found.

/** The ids of the cases that may be about the member. */
export async function listCasesAbout(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('cases as c')
    .select('c.id')
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
  return rows.map(({ id }) => id)
}

/**
 * Erases the member from a case. Call it inside a transaction.
 * @param eraseReports deletes reports of a target whose case is deleted; false where some are left
 * @returns false where some are left: the case stays, and the next call continues
 */
export async function eraseCase(
  trx: Trx,
  userId: string,
  caseId: string,
  eraseReports: (target: ErasedTarget) => Promise<boolean>,
): Promise<boolean> {
  const row = await trx
    .selectFrom('cases as c')
    .leftJoin('dogs_all as d', 'd.id', 'c.dog_id')
    .select(['c.id', 'c.kind', 'c.thing_id', 'c.user_id', 'd.id as dog_id'])
    .where('c.id', '=', caseId)
    .executeTakeFirst()
  if (!row) return true
  const { id, kind, thing_id, user_id, dog_id } = row
  if (user_id !== null && user_id !== userId) return true
  if (await concernsOthers(trx, userId, { case: id })) return clearCaseMember(trx, id)
  const isPresent = (kind === 'dog' || kind === 'photo') && dog_id !== null
  if (!isPresent && !(await eraseReports({ kind, thing_id }))) return false
  await redactDecisions(trx, { column: 'case_id', id })
  if (isPresent) return clearCaseMember(trx, id)
  await trx.deleteFrom('cases').where('id', '=', id).execute()
  return true
}

async function clearCaseMember(trx: Trx, id: string): Promise<true> {
  await trx.updateTable('cases').set({ user_id: null }).where('id', '=', id).execute()
  return true
}

/** Whether a case is the member's, or a decision concerns them: they came after the others were erased. */
export async function hasCases(trx: Trx, userId: string): Promise<boolean> {
  const theCase = trx.selectFrom('cases').select('id').where('user_id', '=', userId).limit(1)
  const decision = trx.selectFrom('decision_people').select('decision_id as id').where('user_id', '=', userId).limit(1)
  return ((await theCase.executeTakeFirst()) ?? (await decision.executeTakeFirst())) !== undefined
}

/**
 * Takes the member off the decisions that concern them, at most `limit`. Call it inside a transaction.
 * @returns how many there were
 */
export async function eraseDecisions(trx: Trx, userId: string, limit: number): Promise<number> {
  const decisions = await trx
    .deleteFrom('decision_people')
    .where('user_id', '=', userId)
    .where('decision_id', 'in', (eb) =>
      eb.selectFrom('decision_people').select('decision_id').where('user_id', '=', userId).limit(limit),
    )
    .returning('decision_id')
    .execute()
  for (const { decision_id: id } of decisions)
    if (!(await concernsOthers(trx, userId, { decision: id }))) await redactDecisions(trx, { column: 'id', id })
  return decisions.length
}

/** Whether the decision, or any decision of the case, concerns another member too. */
async function concernsOthers(
  trx: Trx,
  userId: string,
  scope: { decision: string } | { case: string },
): Promise<boolean> {
  const people = trx.selectFrom('decision_people as a').select('a.user_id').where('a.user_id', '!=', userId).limit(1)
  const found =
    'decision' in scope
      ? people.where('a.decision_id', '=', scope.decision)
      : people.innerJoin('decisions as d', 'd.id', 'a.decision_id').where('d.case_id', '=', scope.case)
  return (await found.executeTakeFirst()) !== undefined
}

const redactDecisions = (trx: Trx, { column, id }: { column: 'id' | 'case_id'; id: string }) =>
  trx.updateTable('decisions').set({ what: ERASED_LABEL, reason: '', thing_id: '' }).where(column, '=', id).execute()
