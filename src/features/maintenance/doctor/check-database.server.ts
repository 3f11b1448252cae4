import type { Database } from 'better-sqlite3'
import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { readPostgresHealth } from '#db/dialect/postgres/health.ts'
import { isKnownMigration } from '#db/migration-names.ts'
import { findCountDrift } from '#features/maintenance/count-drift.server.ts'
import * as contents from '#features/maintenance/database-contents.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { countOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { failure, type Finding, formatSome, ok, repairable, warning } from './finding.ts'

/** How late a deletion may be. */
const DELETION_GRACE_MS = HOUR_MS

/** A database that can be read. */
interface Readable {
  /** What it is, in Spanish. */
  state: string
  /** About its references and triggers. */
  findings: Finding[]
}

/** Checks a database: its pages and references, or what PostgreSQL says of them, its migrations, counts and late work. */
export async function checkDatabase(db: Db, file: Database | null): Promise<Finding[]> {
  const read = file ? checkFile(file) : await checkPostgres(db)
  if ('level' in read) return [read]
  const { rows, migrations } = await contents.readContents(db)
  const rowCount = Object.values(rows).reduce((sum, each) => sum + each, 0)
  if (!file && migrations.length === 0)
    return [failure('base de datos', `${read.state}: está vacía: arranca antes el sitio, o npm run move -- --to`)]
  const found = ok('base de datos', `${read.state}, ${formatPlural(rowCount, 'fila', 'filas')}`)
  return [found, ...read.findings, ...(await checkMigratedRows(db, migrations))]
}

function checkFile(file: Database): Finding | Readable {
  const faults = formatSome(contents.findIntegrityFaults(file), 1)
  if (faults) return failure('base de datos', `está dañada (${faults}): restaura la última copia con npm run restore`)
  const broken = file.pragma('foreign_key_check') as { table: string }[]
  const tables = formatSome([...new Set(broken.map(({ table }) => table))])
  const text = `${formatPlural(broken.length, 'fila nombra', 'filas nombran')} lo que ya no existe (${tables})`
  const references = broken.length > 0 ? failure('referencias', text) : ok('referencias', 'todas llevan a su fila')
  return { state: 'íntegra', findings: [references] }
}

/** Pages and indexes are PostgreSQL's own. */
async function checkPostgres(db: Db): Promise<Finding | Readable> {
  const health = await readPostgresHealth(db)
  const state = `PostgreSQL ${health.version}`
  const describe = (names: readonly string[]) =>
    `${formatPlural(names.length, 'tabla', 'tablas')} (${formatSome(names)})`
  if (health.forbiddenTables.length > 0) {
    const text = `al usuario le faltan permisos en ${describe(health.forbiddenTables)}`
    return failure('base de datos', `${state}: ${text}`)
  }
  if (await isMoveUnfinished(db))
    return failure('base de datos', `${state}: una mudanza se quedó a medias: repite npm run move -- --to`)
  const unchecked = `PostgreSQL no las ha comprobado: ${formatSome(health.uncheckedReferences)} (VALIDATE CONSTRAINT)`
  const isChecked = health.uncheckedReferences.length === 0
  const findings = [isChecked ? ok('referencias', 'PostgreSQL las comprueba') : failure('referencias', unchecked)]
  const disabled = health.tablesWithDisabledTriggers
  if (disabled.length > 0)
    findings.push(failure('disparadores', `apagados en ${describe(disabled)}: ALTER TABLE … ENABLE TRIGGER ALL`))
  return { state, findings }
}

/** Checks the migrations and, where all have run, the counts and what is late: an older database lacks some of their tables. */
async function checkMigratedRows(db: Db, completed: readonly string[], now = Date.now()): Promise<Finding[]> {
  const unknown = completed.filter((name) => !isKnownMigration(name))
  const pending = contents.listPendingMigrations(completed)
  const newer = `la base de datos es de una versión más nueva del programa (${formatSome(unknown)})`
  const number = formatPlural(pending.length, 'pendiente', 'pendientes')
  const findings = [ok('migraciones', 'todas hechas')]
  if (unknown.length > 0) findings[0] = failure('migraciones', newer)
  else if (pending.length > 0)
    findings[0] = warning('migraciones', `${number}: se harán al arrancar (${formatSome(pending)})`)
  if (pending.length > 0) return findings
  const drift = await findCountDrift(db)
  if (drift.length === 0) findings.push(ok('recuentos', 'todos cuadran'))
  for (const { name, rows } of drift)
    findings.push(repairable(failure('recuentos', `no cuadra: ${name} (${formatPlural(rows, 'fila', 'filas')})`)))
  // Open moderation cases about what is deleted.
  const orphaned = await countOrphanedCases(db)
  const cases = `${formatPlural(orphaned, 'abierto', 'abiertos')} sobre lo que ya no está`
  findings.push(orphaned ? repairable(warning('casos', cases)) : ok('casos', 'todos tienen algo que revisar'))
  // Accounts whose deletion should be over: the job erases them within a minute.
  const late = await countRows(db.selectFrom('account_deletions').where('due_at', '<', now - DELETION_GRACE_MS))
  const accounts = formatPlural(late, 'cuenta debería estar borrada', 'cuentas deberían estar borradas')
  const lateText = `${accounts} ya: arranca el servidor y mira su registro`
  findings.push(late ? warning('borrados', lateText) : ok('borrados', 'ninguna cuenta espera más de lo debido'))
  return findings
}
