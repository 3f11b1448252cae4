import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import {
  alignCounters,
  countTableRows,
  insertRows,
  listTriggerStatements,
  readRowsAfter,
} from '#db/dialect/bulk-load.ts'
import { columnTypes } from '#db/dialect/column-types.ts'
import { listTableLayouts, type TableLayout } from '#db/dialect/table-layouts.ts'
import { MaintenanceError } from '../maintenance.ts'
import { digestTable, ROWS_PER_BATCH } from './table-digest.server.ts'

/** The table in the target that says how far the move is, a row for each table that has begun. Its presence says that it has not ended. */
const PROGRESS = 'move_progress'
/** The statements that give the target its triggers back at the end. */
const STATEMENTS = 'move_statements'

/** Tables that have a row from the migrations on. */
const SEEDED_TABLES: readonly string[] = ['totals']

// A type, since Kysely takes no interface here.
type MoveTables = {
  [PROGRESS]: { table_name: string; last_row: string | null; rows: number }
  [STATEMENTS]: { place: number; statement: string }
}
const moveTablesOf = (db: Db) => db.withTables<MoveTables>()

export interface MoveProgress {
  table: string
  /** Rows of the table in the target now, and in the source. */
  rows: number
  total: number
}

export interface MovedTable {
  name: string
  rows: number
  digest: string
}

/** Whether a move into this database was begun and has not ended: it must not be used. */
export async function isMoveUnfinished(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === PROGRESS)
}

/**
 * Copies all rows of a database into an empty one, whichever kind each is, and compares every table. Nobody may write to either.
 * A move that was broken off goes on where it was: the target remembers how far it came.
 * @param source a migrated database
 * @param target a database that the same program has migrated
 * @returns the tables with their rows and digests, which are equal in both
 * @throws MaintenanceError where the target has data of its own, or the tables differ at the end
 */
export async function moveRows(
  source: Db,
  target: Db,
  onProgress: (progress: MoveProgress) => void = () => {},
): Promise<MovedTable[]> {
  const sourceLayouts = await listTableLayouts(source)
  if (!(await isMoveUnfinished(target))) await beginMove(target)
  const layouts = (await listTableLayouts(target)).filter(({ name }) => name !== PROGRESS && name !== STATEMENTS)
  assertSameTables(sourceLayouts, layouts)
  for (const layout of layouts) await copyTable(source, target, layout, onProgress)
  const moved = await compareTables(source, target, layouts)
  await endMove(target, layouts)
  return moved
}

async function beginMove(target: Db): Promise<void> {
  const layouts = await listTableLayouts(target)
  for (const { name } of layouts)
    if (!SEEDED_TABLES.includes(name) && (await countTableRows(target, name)) > 0)
      throw new MaintenanceError(`el destino ya tiene datos (tabla ${name}): tiene que estar vacío.`)
  const { disable, enable } = await listTriggerStatements(target, layouts)
  await target.transaction().execute(async (trx) => {
    const { text, integer } = columnTypes(trx)
    await trx.schema
      .createTable(PROGRESS)
      .addColumn('table_name', sql`${text}`, (column) => column.primaryKey())
      .addColumn('last_row', sql`${text}`)
      .addColumn('rows', sql`${integer}`, (column) => column.notNull())
      .execute()
    await trx.schema
      .createTable(STATEMENTS)
      .addColumn('place', sql`${integer}`, (column) => column.primaryKey())
      .addColumn('statement', sql`${text}`, (column) => column.notNull())
      .execute()
    for (const name of SEEDED_TABLES) await sql`DELETE FROM ${sql.table(name)}`.execute(trx)
    for (const statement of disable) await sql.raw(statement).execute(trx)
    for (const [place, statement] of enable.entries())
      await moveTablesOf(trx).insertInto(STATEMENTS).values({ place, statement }).execute()
  })
}

function assertSameTables(source: readonly TableLayout[], target: readonly TableLayout[]): void {
  const describe = (layouts: readonly TableLayout[]) =>
    layouts.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`).toSorted()
  const [ofSource, ofTarget] = [describe(source), describe(target)]
  const difference =
    ofSource.find((each) => !ofTarget.includes(each)) ?? ofTarget.find((each) => !ofSource.includes(each))
  if (difference) throw new MaintenanceError(`origen y destino no tienen las mismas tablas: ${difference}.`)
}

/** Each batch and how far it came are one transaction: a move that is broken off neither repeats nor skips a row. */
async function copyTable(
  source: Db,
  target: Db,
  layout: TableLayout,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  const table = layout.name
  const begun = await moveTablesOf(target)
    .selectFrom(PROGRESS)
    .selectAll()
    .where('table_name', '=', table)
    .executeTakeFirst()
  const total = await countTableRows(source, table)
  let rows = begun?.rows ?? 0
  let last = begun?.last_row ? (JSON.parse(begun.last_row) as Record<string, unknown>) : null
  for (;;) {
    const batch = await readRowsAfter(source, layout, last, ROWS_PER_BATCH)
    const end = batch.at(-1)
    if (!end) return
    rows += batch.length
    last = Object.fromEntries(layout.key.map((column) => [column, end[column]]))
    const progress = { last_row: JSON.stringify(last), rows }
    await target.transaction().execute(async (trx) => {
      await insertRows(trx, layout, batch)
      await moveTablesOf(trx)
        .insertInto(PROGRESS)
        .values({ table_name: table, ...progress })
        .onConflict((conflict) => conflict.column('table_name').doUpdateSet(progress))
        .execute()
    })
    onProgress({ table, rows, total })
  }
}

async function compareTables(source: Db, target: Db, layouts: readonly TableLayout[]): Promise<MovedTable[]> {
  const moved: MovedTable[] = []
  for (const layout of layouts) {
    const [before, after] = await Promise.all([digestTable(source, layout), digestTable(target, layout)])
    if (before.digest !== after.digest)
      throw new MaintenanceError(
        `la tabla ${layout.name} no es igual en los dos lados (${before.rows} y ${after.rows} filas): vacía el destino y empieza de nuevo, con el sitio parado.`,
      )
    moved.push({ name: layout.name, ...after })
  }
  return moved
}

/** In one transaction: from now on the target is a database like any other. */
async function endMove(target: Db, layouts: readonly TableLayout[]): Promise<void> {
  await target.transaction().execute(async (trx) => {
    const statements = await moveTablesOf(trx).selectFrom(STATEMENTS).select('statement').orderBy('place').execute()
    for (const { statement } of statements) await sql.raw(statement).execute(trx)
    await alignCounters(trx, layouts)
    for (const name of [STATEMENTS, PROGRESS]) await trx.schema.dropTable(name).execute()
  })
}
