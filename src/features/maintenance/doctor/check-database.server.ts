import type Database from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { countOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import { findCountDrift } from '#features/maintenance/count-drift.server.ts'
import { findIntegrityFaults, readContents } from '#features/maintenance/database-contents.server.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'

/** Checks the database: its pages, references, migrations, and the counts that triggers maintain. */
export function checkDatabase(sqlite: Database.Database): Finding[] {
  const faults = findIntegrityFaults(sqlite)
  if (faults.length > 0)
    return [
      failure('base de datos', `está dañada (${formatSome(faults, 1)}): restaura la última copia con npm run restore`),
    ]
  const contents = readContents(sqlite)
  const rowCount = Object.values(contents.rows).reduce((sum, count) => sum + count, 0)
  return [
    ok('base de datos', `íntegra, ${formatPlural(rowCount, 'fila', 'filas')}`),
    checkReferences(sqlite),
    checkMigrations(contents.migrations),
    ...checkCounts(sqlite, contents.migrations),
    ...checkCases(sqlite, contents.migrations),
  ]
}

function checkReferences(sqlite: Database.Database): Finding {
  const broken = sqlite.pragma('foreign_key_check') as { table: string }[]
  if (broken.length === 0) return ok('referencias', 'todas llevan a su fila')
  const tables = [...new Set(broken.map(({ table }) => table))]
  return failure(
    'referencias',
    `${formatPlural(broken.length, 'fila nombra', 'filas nombran')} lo que ya no existe (${formatSome(tables)})`,
  )
}

const pendingMigrations = (completed: readonly string[]) =>
  Object.keys(migrations).filter((name) => !completed.includes(name))

function checkMigrations(completed: readonly string[]): Finding {
  const unknown = completed.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0)
    return failure('migraciones', `la base de datos es de una versión más nueva del programa (${formatSome(unknown)})`)
  const pending = pendingMigrations(completed)
  if (pending.length > 0)
    return warning(
      'migraciones',
      `${formatPlural(pending.length, 'pendiente', 'pendientes')}: se harán al arrancar (${formatSome(pending)})`,
    )
  return ok('migraciones', 'todas hechas')
}

function checkCounts(sqlite: Database.Database, completed: readonly string[]): Finding[] {
  // An older database lacks some of the counted tables.
  if (pendingMigrations(completed).length > 0) return []
  const drift = findCountDrift(sqlite)
  if (drift.length === 0) return [ok('recuentos', 'todos cuadran')]
  return drift.map(({ name, rows }) =>
    failure('recuentos', `no cuadra: ${name} (${formatPlural(rows, 'fila', 'filas')})`, true),
  )
}

/** Open moderation cases about what is deleted. */
function checkCases(sqlite: Database.Database, completed: readonly string[]): Finding[] {
  if (pendingMigrations(completed).length > 0) return []
  const orphaned = countOrphanedCases(sqlite)
  if (orphaned === 0) return [ok('casos', 'todos tienen algo que revisar')]
  const detail = `${formatPlural(orphaned, 'abierto', 'abiertos')} sobre lo que ya no está`
  return [warning('casos', detail, true)]
}
