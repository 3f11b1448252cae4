import { type Db, sqliteOf } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { isKnownMigration } from '#db/migration-names.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { countOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import { findCountDrift } from '#features/maintenance/count-drift.server.ts'
import {
  findIntegrityFaults,
  listPendingMigrations,
  readContents,
} from '#features/maintenance/database-contents.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'

/** How late a deletion may be. */
const DELETION_GRACE_MS = HOUR_MS

/** Checks a SQLite file: its pages, references, migrations, and the counts that triggers maintain. */
export async function checkSqlite(db: Db): Promise<Finding[]> {
  const faults = findIntegrityFaults(sqliteOf(db))
  if (faults.length > 0)
    return [
      failure('base de datos', `está dañada (${formatSome(faults, 1)}): restaura la última copia con npm run restore`),
    ]
  const contents = await readContents(db)
  return [
    ok('base de datos', `íntegra, ${formatRowCount(contents.rows)}`),
    checkReferences(db),
    ...(await checkMigratedRows(db, contents.migrations)),
  ]
}

export function formatRowCount(rows: Readonly<Record<string, number>>): string {
  const count = Object.values(rows).reduce((sum, each) => sum + each, 0)
  return formatPlural(count, 'fila', 'filas')
}

function checkReferences(db: Db): Finding {
  const broken = sqliteOf(db).pragma('foreign_key_check') as { table: string }[]
  if (broken.length === 0) return ok('referencias', 'todas llevan a su fila')
  const tables = [...new Set(broken.map(({ table }) => table))]
  return failure(
    'referencias',
    `${formatPlural(broken.length, 'fila nombra', 'filas nombran')} lo que ya no existe (${formatSome(tables)})`,
  )
}

/** Checks the migrations and, where all have run, the counts and cases: an older database lacks some of their tables. */
export async function checkMigratedRows(db: Db, completed: readonly string[]): Promise<Finding[]> {
  const findings = [checkMigrations(completed)]
  if (listPendingMigrations(completed).length > 0) return findings
  return [...findings, ...(await checkCounts(db)), await checkCases(db), await checkDeletions(db)]
}

function checkMigrations(completed: readonly string[]): Finding {
  const unknown = completed.filter((name) => !isKnownMigration(name))
  if (unknown.length > 0)
    return failure('migraciones', `la base de datos es de una versión más nueva del programa (${formatSome(unknown)})`)
  const pending = listPendingMigrations(completed)
  if (pending.length > 0)
    return warning(
      'migraciones',
      `${formatPlural(pending.length, 'pendiente', 'pendientes')}: se harán al arrancar (${formatSome(pending)})`,
    )
  return ok('migraciones', 'todas hechas')
}

async function checkCounts(db: Db): Promise<Finding[]> {
  const drift = await findCountDrift(db)
  if (drift.length === 0) return [ok('recuentos', 'todos cuadran')]
  return drift.map(({ name, rows }) =>
    failure('recuentos', `no cuadra: ${name} (${formatPlural(rows, 'fila', 'filas')})`, true),
  )
}

/** Open moderation cases about what is deleted. */
async function checkCases(db: Db): Promise<Finding> {
  const orphaned = await countOrphanedCases(db)
  if (orphaned === 0) return ok('casos', 'todos tienen algo que revisar')
  const detail = `${formatPlural(orphaned, 'abierto', 'abiertos')} sobre lo que ya no está`
  return warning('casos', detail, true)
}

/** Accounts whose deletion should be over: the job erases them within a minute. */
async function checkDeletions(db: Db, now = Date.now()): Promise<Finding> {
  const count = await countRows(db.selectFrom('account_deletions').where('due_at', '<', now - DELETION_GRACE_MS))
  if (count === 0) return ok('borrados', 'ninguna cuenta espera más de lo debido')
  const late = formatPlural(count, 'cuenta debería estar borrada', 'cuentas deberían estar borradas')
  return warning('borrados', `${late} ya: arranca el servidor y mira su registro`)
}
