import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import * as bulk from '#db/dialect/bulk-load.ts'
import { columnTypes } from '#db/dialect/column-types.ts'
import { beginTransaction, isSharedByNodes } from '#db/dialect/dialect.ts'
import { listTableLayouts, type TableLayout } from '#db/dialect/table-layouts.ts'
import { MaintenanceError } from '../maintenance.ts'

/** The table in the target that says how far the move is, a row for each table that has begun. Its presence says that it has not ended. */
const PROGRESS = 'move_progress'
/** The statements that give the target its triggers back at the end. */
const STATEMENTS = 'move_statements'

/** Tables that have a row from the migrations on. */
const SEEDED_TABLES: readonly string[] = ['totals']

/** Rows that are read at once. */
const ROWS_PER_BATCH = 1000

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

export interface MovedTable {
  name: string
  rows: number
  /** SHA-256 of all rows in the order of their key, hexadecimal. The same rows give the same digest in both databases. */
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
export async function moveRows(
  source: Db,
  target: Db,
  onProgress: (progress: MoveProgress) => void = () => {},
): Promise<MovedTable[]> {
  const layouts = (await listTableLayouts(target)).filter(({ name }) => name !== PROGRESS && name !== STATEMENTS)
  assertSameTables(await listTableLayouts(source), layouts)
  const totals = new Map<string, number>()
  for (const { name } of layouts) totals.set(name, await bulk.countTableRows(source, name))
  const compare = () => compareTables(source, target, layouts, reporter('compare', totals, onProgress))
  if (!(await isMoveUnfinished(target))) {
    const table = await findTableWithRows(target)
    if (table !== null) {
      // A target that is equal to the source is one whose move was cut between its end and the answer.
      for (const [name, total] of totals)
        if ((await bulk.countTableRows(target, name)) !== total) throw targetNotEmptyError(target, table)
      const ended = await compare()
      if (ended.different) throw targetNotEmptyError(target, table)
      return ended.moved
    }
    await beginMove(target, layouts)
  }
  const begun = await moveTablesOf(target).selectFrom(PROGRESS).select(['table_name', 'rows']).execute()
  const report = reporter('copy', totals, onProgress, new Map(begun.map((row) => [row.table_name, row.rows])))
  for (const layout of layouts) await copyTable(source, target, layout, report)
  const { moved, different } = await compare()
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
    if (!SEEDED_TABLES.includes(name) && (await bulk.countTableRows(db, name)) > 0) return name
  return null
}

/** @param table that has rows */
export function targetNotEmptyError(target: Db, table: string): MaintenanceError {
  const hint = isSharedByNodes(target) ? ' (dropdb y createdb)' : ''
  return new MaintenanceError(`el destino ya tiene datos (tabla ${table}): tiene que estar vacío${hint}.`)
}

type Report = (table: string, rows: number) => void

/** Adds what all tables together have to the report of one. */
function reporter(
  step: MoveProgress['step'],
  totals: ReadonlyMap<string, number>,
  onProgress: (progress: MoveProgress) => void,
  done = new Map<string, number>(),
): Report {
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0)
  const allTotal = sum(totals.values())
  return (table, rows) => {
    done.set(table, rows)
    onProgress({ step, table, rows, total: totals.get(table) ?? 0, allRows: sum(done.values()), allTotal })
  }
}

async function beginMove(target: Db, layouts: readonly TableLayout[]): Promise<void> {
  const { disable, enable } = await bulk.listTriggerStatements(target, layouts)
  await beginTransaction(target, async (trx) => {
    const { text, integer } = columnTypes(trx)
    await sql`CREATE TABLE ${sql.table(PROGRESS)}
      (table_name ${text} PRIMARY KEY, last_row ${text}, rows ${integer} NOT NULL)`.execute(trx)
    await sql`CREATE TABLE ${sql.table(STATEMENTS)}
      (place ${integer} PRIMARY KEY, statement ${text} NOT NULL)`.execute(trx)
    for (const name of SEEDED_TABLES) await sql`DELETE FROM ${sql.table(name)}`.execute(trx)
    for (const statement of disable) await sql.raw(statement).execute(trx)
    for (const [place, statement] of enable.entries())
      await moveTablesOf(trx).insertInto(STATEMENTS).values({ place, statement }).execute()
  })
}

function assertSameTables(source: readonly TableLayout[], target: readonly TableLayout[]): void {
  const describe = (layouts: readonly TableLayout[]) =>
    new Set(layouts.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`))
  const [difference] = describe(source).symmetricDifference(describe(target))
  if (difference) throw new MaintenanceError(`origen y destino no tienen las mismas tablas: ${difference}.`)
}

type Row = Record<string, unknown>

/** Yields all rows behind `last` in the order of their key. */
async function* readBatches(db: Db, layout: TableLayout, last: Row | null = null): AsyncGenerator<Row[]> {
  for (;;) {
    const batch = await bulk.readRowsAfter(db, layout, last, ROWS_PER_BATCH)
    last = batch.at(-1) ?? null
    if (last) yield batch
    if (batch.length < ROWS_PER_BATCH) return
  }
}

/** Each batch and how far it came are one transaction: a move that is broken off neither repeats nor skips a row. */
async function copyTable(source: Db, target: Db, layout: TableLayout, report: Report): Promise<void> {
  const { name, key } = layout
  const progressOf = moveTablesOf(target).selectFrom(PROGRESS).selectAll().where('table_name', '=', name)
  const begun = await progressOf.executeTakeFirst()
  let rows = begun?.rows ?? 0
  report(name, rows)
  for await (const batch of readBatches(source, layout, begun?.last_row ? JSON.parse(begun.last_row) : null)) {
    rows += batch.length
    const last = Object.fromEntries(key.map((column) => [column, batch.at(-1)![column]]))
    const progress = { last_row: JSON.stringify(last), rows }
    await beginTransaction(target, async (trx) => {
      await bulk.insertRows(trx, layout, batch)
      await moveTablesOf(trx)
        .insertInto(PROGRESS)
        .values({ table_name: name, ...progress })
        .onConflict((conflict) => conflict.column('table_name').doUpdateSet(progress))
        .execute()
    })
    report(name, rows)
  }
}

/** Reads the whole table once. @param onRows called with the number of rows so far */
async function digestTable(db: Db, layout: TableLayout, onRows: (count: number) => void) {
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of readBatches(db, layout)) {
    for (const row of batch) hash.update(`${JSON.stringify(layout.columns.map((column) => row[column]))}\n`)
    onRows((rows += batch.length))
  }
  return { rows, digest: hash.digest('hex') }
}

/** @returns the tables up to the first that differs, and its name */
async function compareTables(source: Db, target: Db, layouts: readonly TableLayout[], report: Report) {
  const moved: MovedTable[] = []
  for (const layout of layouts) {
    const { name } = layout
    const [before, after] = await Promise.all([
      digestTable(source, layout, () => {}),
      digestTable(target, layout, (rows) => report(name, rows)),
    ])
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
    await bulk.alignCounters(trx, layouts)
    for (const name of [STATEMENTS, PROGRESS]) await trx.schema.dropTable(name).execute()
  })
}
