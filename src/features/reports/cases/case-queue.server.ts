import type { NotNull } from 'kysely'
import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { labelProposed, parseProposed } from '#features/dogs/proposed-texts.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { type CaseRow, listCaseMembers } from './case-actions.server.ts'
import {
  type LoggedDecision,
  LOG_PAGE_SIZE,
  QUEUE_PAGE_SIZE,
  type QueuedCase,
  type QueueOrder,
  MAX_REPORTS_SHOWN,
} from './case-queue.ts'
import { findReviewTarget } from '#features/reports/report-target.server.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

interface Page<T> {
  rows: T[]
  nextCursor: string | null
}

/** Which cases the queue shows. */
interface CasePage {
  order?: QueueOrder
  /** Only those about this. */
  kind?: TargetKind | undefined
  cursor?: string
  limit?: number
}

/** Counts open cases. */
export const countOpenCases = (db: Db): Promise<number> => countRows(db.selectFrom('cases').where('open', '=', 1))

/**
 * A page of cases, each with the current state of its target; by index cases_newest or cases_most.
 * @throws AppError 401, 403; 422 for an invalid cursor
 */
export async function listCases(
  db: Db,
  requester: AdminRequester,
  { order = 'nuevas', kind, cursor, limit = QUEUE_PAGE_SIZE }: CasePage = {},
  now = Date.now(),
): Promise<Page<QueuedCase>> {
  assertAdmin(requester)
  const column = order === 'mas' ? 'reports' : 'latest_at'
  const at = cursor === undefined ? undefined : decodeCursor(cursor, `cases-${order}`)
  let query = db
    .selectFrom('cases')
    .selectAll()
    .where('open', '=', order === 'cerradas' ? 0 : 1)
  if (kind) query = query.where('kind', '=', kind)
  if (at) query = query.where((eb) => eb(eb.refTuple(column, 'id'), '<', eb.tuple(at.value, at.id)))
  const found = await query
    .orderBy(column, 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const last = found.length > limit ? found[limit - 1] : undefined
  const rows: QueuedCase[] = []
  for (const row of found.slice(0, limit)) rows.push(await loadQueuedCase(db, row, now))
  return { rows, nextCursor: last ? encodeCursor({ order: `cases-${order}`, value: last[column], id: last.id }) : null }
}

async function loadQueuedCase(db: Db, row: CaseRow, now: number): Promise<QueuedCase> {
  const target = await findReviewTarget(db, row.kind, row.thing_id)
  const members: QueuedCase['members'] = []
  for (const id of listCaseMembers(row, target)) {
    const profile = await db.selectFrom('profiles').select('alias').where('id', '=', id).executeTakeFirst()
    const banned = (await findActiveBan(db, id, now)) ?? null
    members.push({ id, alias: profile?.alias ?? FALLBACK_ALIAS, banned })
  }
  const reports = await db
    .selectFrom('reports as r')
    .leftJoin('profiles as p', 'p.id', 'r.user_id')
    .select(['r.reason', 'r.words', 'r.created_at', 'p.alias'])
    .where('r.kind', '=', row.kind)
    .where('r.thing_id', '=', row.thing_id)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(MAX_REPORTS_SHOWN)
    .execute()
  return {
    id: row.id,
    kind: row.kind,
    cause: row.cause,
    reports: row.reports,
    open: row.open === 1,
    latest_at: row.latest_at,
    version: row.edited_at,
    proposed: labelProposed(parseProposed(row.proposed)),
    target: target
      ? {
          label: target.label,
          path: target.path,
          quote: target.quote ?? target.texts ?? null,
          facts: target.facts ?? '',
          photos: target.photos,
          alts: target.alts ?? [],
          isHidden: target.isHidden,
          isDogHidden: target.isDogHidden,
        }
      : null,
    members,
    reportsShown: reports.map((report) => ({ ...report, alias: report.alias ?? FALLBACK_ALIAS })),
    decisions: await listDecisions(db, (query) => query.where('d.case_id', '=', row.id), MAX_DECISIONS_PER_CASE),
  }
}

const selectDecisions = (db: Db) =>
  db
    .selectFrom('decisions as d')
    .leftJoin('profiles as p', 'p.id', 'd.admin_id')
    .select([
      'd.id',
      'd.kind',
      'd.what as label',
      'd.deed as action',
      'd.admin_id',
      'p.alias',
      'd.reason',
      'd.until',
      'd.created_at',
    ])
type QueryFilter = (query: ReturnType<typeof selectDecisions>) => ReturnType<typeof selectDecisions>

/** Decisions that a case of the queue lists. */
const MAX_DECISIONS_PER_CASE = 20

async function listDecisions(db: Db, filter: QueryFilter, limit: number): Promise<LoggedDecision[]> {
  const rows = await filter(selectDecisions(db))
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  const appeals = await db
    .selectFrom('decision_people as a')
    .leftJoin('profiles as p', 'p.id', 'a.user_id')
    .select(['a.decision_id', 'a.appeal', 'a.appeal_at', 'p.alias'])
    .where('a.decision_id', 'in', ids)
    .where('a.appeal', 'is not', null)
    // One update writes the appeal and its time.
    .$narrowType<{ appeal: NotNull; appeal_at: NotNull }>()
    .execute()
  return rows.map(({ admin_id, alias, ...row }) => ({
    ...row,
    admin: admin_id && (alias ?? FALLBACK_ALIAS),
    appeals: appeals
      .filter((appeal) => appeal.decision_id === row.id)
      .map(({ alias: author, appeal, appeal_at }) => ({
        alias: author ?? FALLBACK_ALIAS,
        text: appeal,
        created_at: appeal_at,
      })),
  }))
}

/** A page of the decision log, newest first: who, what, when and why. @throws AppError 401, 403; 422 for an invalid cursor */
export async function listDecisionLog(
  db: Db,
  requester: AdminRequester,
  { cursor, limit = LOG_PAGE_SIZE }: { cursor?: string; limit?: number } = {},
): Promise<Page<LoggedDecision>> {
  assertAdmin(requester)
  const at = cursor === undefined ? undefined : decodeCursor(cursor, 'decisions')
  const after: QueryFilter = (query) =>
    at ? query.where((eb) => eb(eb.refTuple('d.created_at', 'd.id'), '<', eb.tuple(at.value, at.id))) : query
  const rows = await listDecisions(db, after, limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit),
    nextCursor: last ? encodeCursor({ order: 'decisions', value: last.created_at, id: last.id }) : null,
  }
}
