import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { CONTENT } from '#db/content.ts'
import { inTextPairs, inTexts } from '#db/dialect/expressions.ts'
import type { DecisionsTable, TargetKind } from '#db/schema.ts'
import { transact } from '#db/transact.ts'

// A case goes with its target. Without it there is nothing to review: an open case would stay in the queue until the admin dismisses it,
// and members could fill the queue with content that they delete again.

/** SQL condition: a row of the target meets `condition`. @param kind column with its kind @param targetId column with its id; a photo's is its url */
const targetExists = (kind: string, targetId: string, condition = ''): string => `CASE ${kind}
  ${Object.entries(CONTENT)
    .map(
      ([each, { table, key }]) =>
        `WHEN '${each}' THEN EXISTS (SELECT 1 FROM ${table} WHERE ${table}.${key} = ${targetId} ${condition})`,
    )
    .join('\n')} END`

/** SQL condition: the target is in no table. */
export const targetIsGone = (kind: string, targetId: string): string => `NOT ${targetExists(kind, targetId)}`

/** SQL condition: the target is hidden. */
export const targetIsHidden = (kind: string, targetId: string): string => targetExists(kind, targetId, 'AND hidden > 0')

/** Decisions that only hide the target: nobody can appeal one whose target is gone. */
export const HIDING_ACTIONS: readonly DecisionsTable['deed'][] = ['hold', 'auto-hide', 'hide']

/**
 * SQL condition of a case `c`: it is open, its target is gone, and nothing else waits for the admin. Reports wait for an answer, and the
 * author may still be warned; so does an appeal of a warning, a ban or a deletion.
 */
const ORPHANED = `c.open = 1 AND c.reports = 0
  AND NOT EXISTS (
    SELECT 1 FROM decisions AS d JOIN decision_people AS p ON p.decision_id = d.id
    WHERE d.case_id = c.id AND p.appeal IS NOT NULL AND d.deed NOT IN (${HIDING_ACTIONS.map((deed) => `'${deed}'`).join(', ')}))
  AND ${targetIsGone('c.kind', 'c.thing_id')}`

/**
 * SQL condition of a case `c`: it has only the filter's decisions, nobody has reported the target, and nobody has appealed. Each decision
 * names a member: the deletion of an account finds its decisions by that.
 */
const NEVER_REVIEWED = `NOT EXISTS (
    SELECT 1 FROM decisions AS d WHERE d.case_id = c.id
    AND (d.deed != 'hold' OR NOT EXISTS (SELECT 1 FROM decision_people AS p WHERE p.decision_id = d.id)
      OR EXISTS (SELECT 1 FROM decision_people AS p WHERE p.decision_id = d.id AND p.appeal IS NOT NULL)))
  AND NOT EXISTS (SELECT 1 FROM reports AS r WHERE r.kind = c.kind AND r.thing_id = c.thing_id)`

/** Deletes those of the cases in `scope` that are orphaned and were never reviewed, and closes the other orphaned ones. @returns how many */
async function discardIn(trx: Trx, scope: RawBuilder<unknown>): Promise<number> {
  const deleted = await sql`DELETE FROM cases WHERE id IN (
    SELECT c.id FROM cases AS c WHERE ${scope} AND ${sql.raw(ORPHANED)} AND ${sql.raw(NEVER_REVIEWED)})`.execute(trx)
  const closed = await sql`UPDATE cases SET open = 0 WHERE id IN (
    SELECT c.id FROM cases AS c WHERE ${scope} AND ${sql.raw(ORPHANED)})`.execute(trx)
  return Number((deleted.numAffectedRows ?? 0n) + (closed.numAffectedRows ?? 0n))
}

/**
 * Takes the cases of deleted targets out of the queue: deletes those with nothing but the filter's automatic decision, and closes the
 * others. Call it after the targets are deleted, in the same transaction. Targets that still exist are left out.
 */
export async function discardCasesOf(
  trx: Trx,
  targets: readonly { kind: TargetKind; thing_id: string }[],
): Promise<void> {
  if (targets.length === 0) return
  const pairs = targets.map(({ kind, thing_id }) => [kind, thing_id] as const)
  await discardIn(trx, inTextPairs(trx, ['c.kind', 'c.thing_id'], pairs))
}

/** The same for the cases of a member, by index cases_user. @param exceptId the case that the admin has before them */
export async function discardCasesOfMember(trx: Trx, userId: string, exceptId: string): Promise<void> {
  await discardIn(trx, sql`c.user_id = ${userId} AND c.id != ${exceptId}`)
}

/** Open cases that are looked at in one transaction. */
const CASES_PER_BATCH = 100

/**
 * The same for all open cases, in batches by index cases_newest: for cases of earlier versions, and of public targets.
 * @returns how many
 */
export async function discardOrphanedCases(db: Db): Promise<number> {
  let discarded = 0
  let after = { latest_at: -1, id: '' }
  for (;;) {
    const page = await db
      .selectFrom('cases')
      .select(['id', 'latest_at'])
      .where('open', '=', 1)
      .where((eb) => eb(eb.refTuple('latest_at', 'id'), '>', eb.tuple(after.latest_at, after.id)))
      .orderBy('latest_at')
      .orderBy('id')
      .limit(CASES_PER_BATCH)
      .execute()
    const ids = page.map(({ id }) => id)
    if (page.length > 0) discarded += await transact(db, (trx) => discardIn(trx, inTexts(trx, 'c.id', ids)))
    await nextTurn()
    const last = page.at(-1)
    if (!last || page.length < CASES_PER_BATCH) return discarded
    after = last
  }
}

/** How many orphaned cases there are, for the doctor. */
export async function countOrphanedCases(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM cases AS c WHERE ${sql.raw(ORPHANED)}`.execute(db)
  return rows[0]?.count ?? 0
}
