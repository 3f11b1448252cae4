import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { VIEWS } from '#db/content.ts'
import { columnKinds, columnsOf, EXPORTED, type ExportedTable } from '../personal-data/personal-data.server.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

// What the list of personal data says how to export.

type Row = Record<string, unknown>

const FOLLOW_NAMES: Record<string, string> = { member: 'persona', breed: 'raza', zone: 'zona' }

/** Columns that are written otherwise than by their kind. */
const WRITTEN: Record<string, (value: never) => unknown> = {
  'account_devices.device': (name: string) => name || null,
  'sign_in_alerts.device': (name: string) => name || null,
  'sessions.expires_at': (seconds: number) => toIsoString(seconds * 1000),
  'push_subscriptions.endpoint': (url: string) => new URL(url).host,
  'home_zones.alerted_day': (day: number) => day || null,
  'lost_alert_settings.alerted_day': (day: number) => day || null,
  'follows.kind': (kind: string) => FOLLOW_NAMES[kind],
}

/** The row as it is exported, by the names of its fields. */
function toExported({ table, fields }: ExportedTable, row: Row): Row {
  const kinds = new Map(columnKinds(table))
  const write = (column: string) => {
    const [kind, value] = [kinds.get(column), row[column]]
    const written = WRITTEN[`${table}.${column}`]
    if (written) return written(value as never)
    return kind === 'time' ? toIsoString(value as number | null) : kind === 'flag' ? value === 1 : value
  }
  return Object.fromEntries(fields.map(([column, name]) => [name, write(column)]))
}

/** The member's rows that are shown, after those at `after`. */
async function readRows(
  db: Db,
  { table, fields, order, as, kind }: ExportedTable,
  userId: string,
  after?: Row,
): Promise<Row[]> {
  const view = table.replace(/_all$/, '')
  const columns = new Set([...fields.map(([column]) => column), ...order])
  const by = sql.join(order.map((column) => sql.ref(column)))
  const position = after ? sql` AND (${by}) > (${sql.join(order.map((column) => after[column]))})` : sql``
  const { rows } = await sql<Row>`SELECT ${sql.join([...columns].map((column) => sql.ref(column)))}
    FROM ${sql.table(view in VIEWS ? view : table)}
    WHERE ${sql.ref(columnsOf(table, 'owner', 'person')[0]!)} = ${userId}${position} ${kind === null ? sql`` : sql`AND kind = ${kind}`}
    ${order.length > 0 ? sql`ORDER BY ${by}` : sql``} ${as === 'list' ? sql`LIMIT ${EXPORT_PAGE_SIZE}` : sql``}`.execute(
    db,
  )
  return rows
}

/** The rows of a table, oldest or first first, a page at a time. */
export async function* exportRows(db: Db, exported: ExportedTable, userId: string): AsyncGenerator<Row> {
  for (let after: Row | undefined; ; await nextTurn()) {
    const rows = await readRows(db, exported, userId, after)
    for (const row of rows) yield toExported(exported, row)
    after = rows.at(-1)
    if (exported.as !== 'list' || rows.length < EXPORT_PAGE_SIZE) return
  }
}

/** The objects and short lists, by their names. What has no row is left out. */
export async function exportShort(db: Db, userId: string): Promise<Row> {
  const all: Row = {}
  for (const exported of EXPORTED.filter(({ as }) => as === 'one' || as === 'few')) {
    const rows = await Array.fromAsync(exportRows(db, exported, userId))
    if (exported.as === 'few') all[exported.name] = rows
    else if (rows[0]) all[exported.name] = rows[0]
  }
  return all
}

/** What writes the long lists of a section, by their names; '' is the whole export. */
export const listsOf = (section: string) =>
  Object.fromEntries(
    EXPORTED.filter((each) => each.as === 'list' && each.section === section).map((each) => [
      each.name,
      (db: Db, userId: string) => exportRows(db, each, userId),
    ]),
  )
