import type { Db } from '#db/client.ts'
import type { AdminPage } from '#features/admin/admin.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import type { AdminAction } from '#features/moderation/admin-log.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { paths } from '#lib/paths.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { ADMIN_LOG_PAGE_SIZE, type AdminLogEntry } from './admin-log.ts'

const ERASED_ACCOUNT = 'Una cuenta eliminada'
/** What is read by few, and goes with its case. */
const UNNAMED_TARGETS = {
  sighting: 'Un avistamiento',
  found: 'Un perro encontrado',
  answer: 'Una respuesta a quien encontró un perro',
  'contact-message': 'Un mensaje entre quien busca y quien encuentra',
} as const

/** Entries with what their ids lead to today: of what is erased, nothing is left. */
const selectEntries = (db: Db) =>
  db
    .selectFrom('admin_log as l')
    .leftJoin('profiles as a', 'a.id', 'l.admin_id')
    .leftJoin('profiles as m', 'm.id', 'l.target_id')
    .leftJoin('decisions as d', 'd.id', 'l.record_id')
    .leftJoin('notifications as n', 'n.id', 'l.record_id')
    .select(['l.id', 'l.action', 'l.admin_id', 'l.target_kind', 'l.target_id', 'l.created_at'])
    .select(['a.alias as admin_alias', 'm.alias as member_alias', 'd.what', 'd.reason', 'n.content'])

type Row = Awaited<ReturnType<ReturnType<typeof selectEntries>['executeTakeFirstOrThrow']>>

/**
 * A page of what admins did, the newest first; by index admin_log_newest or, of one action, admin_log_action.
 * @throws AppError 401, 403; 422 for an invalid cursor
 */
export async function listAdminLog(
  db: Db,
  requester: AdminRequester,
  {
    action = null,
    cursor,
    limit = ADMIN_LOG_PAGE_SIZE,
  }: { action?: AdminAction | null; cursor?: string; limit?: number } = {},
): Promise<AdminPage<AdminLogEntry>> {
  assertAdmin(requester)
  const order = `admin-log-${action ?? 'all'}`
  const at = cursor === undefined ? undefined : decodeCursor(cursor, order)
  let query = selectEntries(db)
  if (action !== null) query = query.where('l.action', '=', action)
  if (at) query = query.where((eb) => eb(eb.refTuple('l.created_at', 'l.id'), '<', eb.tuple(at.value, at.id)))
  const rows = await query
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const { bySlug } = await getCatalogue(db)
  return {
    rows: rows.slice(0, limit).map((row) => ({
      id: row.id,
      action: row.action as AdminAction,
      admin: row.admin_id && (row.admin_alias ?? FALLBACK_ALIAS),
      target: describeTarget(row, (slug) => bySlug.get(slug)?.nombre_castellano ?? slug),
      reason: row.reason ?? row.content ?? '',
      created_at: row.created_at,
    })),
    nextCursor: last ? encodeCursor({ order, value: last.created_at, id: last.id }) : null,
  }
}

function describeTarget(row: Row, breedName: (slug: string) => string): AdminLogEntry['target'] {
  const { target_kind, target_id, member_alias, what } = row
  switch (target_kind) {
    case 'case':
      return { label: what ?? ERASED_ACCOUNT, path: null }
    case 'breed':
      return target_id === null ? null : { label: breedName(target_id), path: paths.breed(target_id) }
    case 'member':
      if (target_id === null || member_alias === null) return { label: ERASED_ACCOUNT, path: null }
      return { label: member_alias, path: paths.member(target_id) }
    case 'sighting':
    case 'found':
    case 'answer':
    case 'contact-message':
      return { label: UNNAMED_TARGETS[target_kind], path: null }
    default:
      return null
  }
}
