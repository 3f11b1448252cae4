import type { Db } from '#db/client.ts'
import { banOf } from '#features/moderation/bans.server.ts'
import { FALLBACK_ALIAS } from '#features/profiles/profiles.ts'
import { type AdminAsker, mustAdmin } from '#lib/admin.ts'
import { readCursor, writeCursor } from '#lib/cursor.ts'
import type { CaseRow } from './deeds.server.ts'
import { type LoggedDecision, LOG_PAGE, QUEUE_PAGE, type QueuedCase, type QueueOrder, SAID_SHOWN } from './queue.ts'
import { anyThing } from './things.server.ts'

interface Page<T> {
  rows: T[]
  nextCursor: string | null
}

/** How many cases wait. */
export async function countOpen(db: Db): Promise<number> {
  const { open } = await db
    .selectFrom('cases')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('open', '=', 1)
    .executeTakeFirstOrThrow()
  return open
}

/**
 * Cases a page at a time, by cases_newest or cases_most; each with what it is about, as it stands now.
 * @throws AppError 401, 403; 422 for a cursor that is none
 */
export async function listCases(
  db: Db,
  asker: AdminAsker,
  { order = 'nuevas', cursor, limit = QUEUE_PAGE }: { order?: QueueOrder; cursor?: string; limit?: number } = {},
  now = Date.now(),
): Promise<Page<QueuedCase>> {
  mustAdmin(asker)
  const column = order === 'mas' ? 'reports' : 'latest_at'
  const at = cursor === undefined ? undefined : readCursor(cursor, `cases-${order}`)
  let query = db
    .selectFrom('cases')
    .selectAll()
    .where('open', '=', order === 'cerradas' ? 0 : 1)
  if (at) query = query.where((eb) => eb(eb.refTuple(column, 'id'), '<', eb.tuple(at.value, at.id)))
  const found = await query
    .orderBy(column, 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const last = found.length > limit ? found[limit - 1] : undefined
  const rows: QueuedCase[] = []
  for (const row of found.slice(0, limit)) rows.push(await whole(db, row, now))
  return { rows, nextCursor: last ? writeCursor({ order: `cases-${order}`, value: last[column], id: last.id }) : null }
}

async function whole(db: Db, row: CaseRow, now: number): Promise<QueuedCase> {
  const thing = await anyThing(db, row.kind, row.thing_id)
  const userId = thing?.people[0] ?? row.user_id
  const profile = userId
    ? await db.selectFrom('profiles').select('alias').where('id', '=', userId).executeTakeFirst()
    : undefined
  const banned = userId ? await banOf(db, userId, now) : undefined
  const said = await db
    .selectFrom('reports as r')
    .leftJoin('profiles as p', 'p.id', 'r.user_id')
    .select(['r.reason', 'r.words', 'r.created_at', 'p.alias'])
    .where('r.kind', '=', row.kind)
    .where('r.thing_id', '=', row.thing_id)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(SAID_SHOWN)
    .execute()
  return {
    id: row.id,
    kind: row.kind,
    cause: row.cause,
    reports: row.reports,
    open: row.open === 1,
    latest_at: row.latest_at,
    thing: thing
      ? {
          what: thing.what,
          path: thing.path,
          quote: thing.quote,
          photos: thing.photos,
          alts: thing.alts ?? [],
          held: thing.held,
        }
      : null,
    person: userId ? { id: userId, alias: profile?.alias ?? FALLBACK_ALIAS, banned: banned ?? null } : null,
    said: said.map((one) => ({ ...one, alias: one.alias ?? FALLBACK_ALIAS })),
    decisions: await decisions(db, (query) => query.where('d.case_id', '=', row.id), 20),
  }
}

const decisionRows = (db: Db) =>
  db
    .selectFrom('decisions as d')
    .leftJoin('profiles as p', 'p.id', 'd.admin_id')
    .select(['d.id', 'd.kind', 'd.what', 'd.deed', 'd.admin_id', 'p.alias', 'd.reason', 'd.until', 'd.created_at'])
type Narrow = (query: ReturnType<typeof decisionRows>) => ReturnType<typeof decisionRows>

async function decisions(db: Db, narrow: Narrow, limit: number): Promise<LoggedDecision[]> {
  const rows = await narrow(decisionRows(db))
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  const answers = await db
    .selectFrom('decision_people as a')
    .leftJoin('profiles as p', 'p.id', 'a.user_id')
    .select(['a.decision_id', 'a.appeal', 'a.appeal_at', 'p.alias'])
    .where('a.decision_id', 'in', ids)
    .where('a.appeal', 'is not', null)
    .execute()
  return rows.map(({ admin_id, alias, ...row }) => ({
    ...row,
    admin: admin_id && (alias ?? FALLBACK_ALIAS),
    appeals: answers
      .filter((answer) => answer.decision_id === row.id)
      .map(({ alias: by, appeal, appeal_at }) => ({
        alias: by ?? FALLBACK_ALIAS,
        text: appeal!,
        created_at: appeal_at!,
      })),
  }))
}

/** Everything that was ever done, newest first: who, what, when and why. @throws AppError 401, 403; 422 for a bad cursor */
export async function listLog(
  db: Db,
  asker: AdminAsker,
  { cursor, limit = LOG_PAGE }: { cursor?: string; limit?: number } = {},
): Promise<Page<LoggedDecision>> {
  mustAdmin(asker)
  const at = cursor === undefined ? undefined : readCursor(cursor, 'decisions')
  const after: Narrow = (query) =>
    at ? query.where((eb) => eb(eb.refTuple('d.created_at', 'd.id'), '<', eb.tuple(at.value, at.id))) : query
  const rows = await decisions(db, after, limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit),
    nextCursor: last ? writeCursor({ order: 'decisions', value: last.created_at, id: last.id }) : null,
  }
}
