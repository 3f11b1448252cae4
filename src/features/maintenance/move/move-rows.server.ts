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
import { beginTransaction, isSharedByNodes } from '#db/dialect/dialect.ts'
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
  step: 'copy' | 'compare'
  table: string
  /** Rows of the table that this step has done, and how many it has in the source. */
  rows: number
  total: number
  /** The same of all tables together. */
  allRows: number
  allTotal: number
}
type OnProgress = (progress: MoveProgress) => void

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
 * A move that was broken off goes on where it was: the target remembers how far it came. One that has ended is compared again.
 * @param source a migrated database
 * @param target a database that the same program has migrated
 * @returns the tables with their rows and digests, which are equal in both
 * @throws MaintenanceError where the target has data of its own, or the tables differ at the end
 */
export async function moveRows(source: Db, target: Db, onProgress: OnProgress = () => {}): Promise<MovedTable[]> {
  const layouts = (await listTableLayouts(target)).filter(({ name }) => name !== PROGRESS && name !== STATEMENTS)
  assertSameTables(await listTableLayouts(source), layouts)
  const totals = new Map<string, number>()
  for (const { name } of layouts) totals.set(name, await countTableRows(source, name))
  if (!(await isMoveUnfinished(target))) {
    const table = await findTableWithRows(target)
    if (table !== null) return await compareEndedMove(source, target, layouts, { table, totals, onProgress })
    await beginMove(target, layouts)
  }
  const report = reporter('copy', totals, onProgress, await readProgress(target))
  for (const layout of layouts) await copyTable(source, target, layout, report)
  const { moved, different } = await compareTables(source, target, layouts, reporter('compare', totals, onProgress))
  if (different)
    throw new MaintenanceError(
      `la tabla ${different} no es igual en los dos lados: vacía el destino y empieza de nuevo, con el sitio parado.`,
    )
  await endMove(target, layouts)
  return moved
}

/** The first table that has rows other than those of the migrations; null in an empty database. */
export async function findTableWithRows(db: Db): Promise<string | null> {
  for (const { name } of await listTableLayouts(db))
    if (!SEEDED_TABLES.includes(name) && (await countTableRows(db, name)) > 0) return name
  return null
}

/** @param table that has rows */
export function targetNotEmptyError(target: Db, table: string): MaintenanceError {
  const hint = isSharedByNodes(target) ? ' (dropdb y createdb)' : ''
  return new MaintenanceError(`el destino ya tiene datos (tabla ${table}): tiene que estar vacío${hint}.`)
}

/** A target that is equal to the source is one whose move was cut between its end and the answer. */
async function compareEndedMove(
  source: Db,
  target: Db,
  layouts: readonly TableLayout[],
  { table, totals, onProgress }: { table: string; totals: ReadonlyMap<string, number>; onProgress: OnProgress },
): Promise<MovedTable[]> {
  const refusal = targetNotEmptyError(target, table)
  for (const { name } of layouts) if ((await countTableRows(target, name)) !== totals.get(name)) throw refusal
  const { moved, different } = await compareTables(source, target, layouts, reporter('compare', totals, onProgress))
  if (different) throw refusal
  return moved
}

/** Adds what all tables together have to the report of one. */
function reporter(
  step: MoveProgress['step'],
  totals: ReadonlyMap<string, number>,
  onProgress: OnProgress,
  begun: ReadonlyMap<string, number> = new Map(),
) {
  const done = new Map(begun)
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)
  const allTotal = sum(totals.values())
  return (table: string, rows: number) => {
    done.set(table, rows)
    onProgress({ step, table, rows, total: totals.get(table) ?? 0, allRows: sum(done.values()), allTotal })
  }
}
type Report = ReturnType<typeof reporter>

/** Rows in the target, by table. */
async function readProgress(target: Db): Promise<Map<string, number>> {
  const rows = await moveTablesOf(target).selectFrom(PROGRESS).select(['table_name', 'rows']).execute()
  return new Map(rows.map(({ table_name, rows: count }) => [table_name, count]))
}

async function beginMove(target: Db, layouts: readonly TableLayout[]): Promise<void> {
  const { disable, enable } = await listTriggerStatements(target, layouts)
  await beginTransaction(target, async (trx) => {
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
async function copyTable(source: Db, target: Db, layout: TableLayout, report: Report): Promise<void> {
  const table = layout.name
  const begun = await moveTablesOf(target)
    .selectFrom(PROGRESS)
    .selectAll()
    .where('table_name', '=', table)
    .executeTakeFirst()
  let rows = begun?.rows ?? 0
  report(table, rows)
  let last = begun?.last_row ? (JSON.parse(begun.last_row) as Record<string, unknown>) : null
  for (;;) {
    const batch = await readRowsAfter(source, layout, last, ROWS_PER_BATCH)
    const end = batch.at(-1)
    if (!end) return
    rows += batch.length
    last = Object.fromEntries(layout.key.map((column) => [column, end[column]]))
    const progress = { last_row: JSON.stringify(last), rows }
    await beginTransaction(target, async (trx) => {
      await insertRows(trx, layout, batch)
      await moveTablesOf(trx)
        .insertInto(PROGRESS)
        .values({ table_name: table, ...progress })
        .onConflict((conflict) => conflict.column('table_name').doUpdateSet(progress))
        .execute()
    })
    report(table, rows)
  }
}

/** @returns the tables up to the first that differs, and its name */
async function compareTables(
  source: Db,
  target: Db,
  layouts: readonly TableLayout[],
  report: Report,
): Promise<{ moved: MovedTable[]; different: string | null }> {
  const moved: MovedTable[] = []
  for (const layout of layouts) {
    const { name } = layout
    let rows = 0
    const onRows = (count: number) => report(name, (rows += count))
    const [before, after] = await Promise.all([digestTable(source, layout), digestTable(target, layout, onRows)])
    if (before.rows !== after.rows || before.digest !== after.digest) return { moved, different: name }
    moved.push({ name, ...after })
  }
  return { moved, different: null }
}

/** In one transaction: from now on the target is a database like any other. */
async function endMove(target: Db, layouts: readonly TableLayout[]): Promise<void> {
  await beginTransaction(target, async (trx) => {
    const statements = await moveTablesOf(trx).selectFrom(STATEMENTS).select('statement').orderBy('place').execute()
    for (const { statement } of statements) await sql.raw(statement).execute(trx)
    await alignCounters(trx, layouts)
    for (const name of [STATEMENTS, PROGRESS]) await trx.schema.dropTable(name).execute()
  })
}
