import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { CasesTable, DecisionsTable, TargetKind } from '#db/schema.ts'

export interface CaseTarget {
  kind: TargetKind
  id: string
  dogId: string | null
  people: readonly (string | null)[]
}

/** The thing's case, open from now on, with its open reports counted. @returns the case's id */
export async function openCase(
  trx: Db,
  { kind, id: thing_id, dogId: dog_id, people }: CaseTarget,
  cause: CasesTable['cause'],
  now: number,
): Promise<string> {
  const user_id = people.find((person) => person !== null) ?? null
  const { reports } = await trx
    .selectFrom('reports')
    .select((eb) => eb.fn.countAll<number>().as('reports'))
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .where('closed_at', 'is', sql.lit(null))
    .executeTakeFirstOrThrow()
  const row = { kind, thing_id, cause, dog_id, user_id, reports, created_at: now, latest_at: now }
  const { id } = await trx
    .insertInto('cases')
    .values({ id: randomUUID(), ...row })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'thing_id']).doUpdateSet({ reports, open: 1, latest_at: now, user_id }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A thing that was nobody's is somebody's from now on: what was decided of it goes with their account. */
export const assignCaseMember = (trx: Db, kind: TargetKind, thingId: string, userId: string) =>
  trx
    .updateTable('cases')
    .set({ user_id: userId })
    .where('kind', '=', kind)
    .where('thing_id', '=', thingId)
    .where('user_id', 'is', null)
    .execute()

/** The case is settled: its reports are closed by who calls. */
export const markCaseClosed = (trx: Db, id: string) =>
  trx.updateTable('cases').set({ open: 0, reports: 0 }).where('id', '=', id).execute()

/** The case is back in the queue: somebody answered. */
export const reopenCase = (trx: Db, id: string, now: number) =>
  trx.updateTable('cases').set({ open: 1, latest_at: now }).where('id', '=', id).execute()

/** What is known of a thing by another name from now on. */
export const renameCaseTarget = (trx: Db, kind: TargetKind, before: string, after: string) =>
  trx.updateTable('cases').set({ thing_id: after }).where('kind', '=', kind).where('thing_id', '=', before).execute()

/** One open report less: who sent it is gone. */
export const decrementOpenReports = (trx: Db, kind: TargetKind, thingId: string) =>
  trx
    .updateTable('cases')
    .set({ reports: sql`reports - 1` })
    .where('kind', '=', kind)
    .where('thing_id', '=', thingId)
    .where('reports', '>', 0)
    .execute()

export interface NewDecision {
  caseId: string | null
  kind: TargetKind
  thingId: string
  what: string
  deed: DecisionsTable['deed']
  /** Null where the house did it by itself. */
  adminId: string | null
  reason: string
  until?: number | null
  /** Whom it concerns; they may answer. */
  people: readonly (string | null)[]
}

/** Writes down what was done, for good. Whoever calls tells the people. @returns the decision's id */
export async function writeDecision(trx: Db, done: NewDecision, now: number): Promise<string> {
  const { caseId: case_id, thingId: thing_id, adminId: admin_id, kind, what, deed, reason, until = null, people } = done
  const id = randomUUID()
  await trx
    .insertInto('decisions')
    .values({ id, case_id, kind, thing_id, what, deed, admin_id, reason, until, created_at: now })
    .execute()
  for (const user_id of new Set(people.filter((person) => person !== null)))
    await trx
      .insertInto('decision_people')
      .values({ decision_id: id, user_id, appeal: null, appeal_at: null, created_at: now })
      .execute()
  return id
}

/** What one of its people answers; asked before that they may. */
export const writeAppeal = (trx: Db, decisionId: string, userId: string, appeal: string, now: number) =>
  trx
    .updateTable('decision_people')
    .set({ appeal, appeal_at: now })
    .where('decision_id', '=', decisionId)
    .where('user_id', '=', userId)
    .execute()

/** Brings before the admin what the house itself kept from being shown, and notes that it did. */
export async function openReviewCase(
  trx: Db,
  thing: CaseTarget & { what: string },
  cause: 'words' | 'anonymous',
  why: string,
  now: number,
): Promise<void> {
  const caseId = await openCase(trx, thing, cause, now)
  const { kind, id: thingId, what, people } = thing
  await writeDecision(trx, { caseId, kind, thingId, what, deed: 'hold', adminId: null, reason: why, people }, now)
}
