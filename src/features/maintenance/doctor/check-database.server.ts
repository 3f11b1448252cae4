import type Database from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { findCountDrift } from '#features/maintenance/count-drift.server.ts'
import { findIntegrityFaults, readContents } from '#features/maintenance/database-contents.server.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'

/** The database itself: its pages, its references, its migrations, and the numbers that triggers keep. */
export function checkDatabase(sqlite: Database.Database): Finding[] {
  const faults = findIntegrityFaults(sqlite)
  if (faults.length > 0)
    return [
      failure('base de datos', `está dañada (${formatSome(faults, 1)}): restaura la última copia con npm run restore`),
    ]
  const { rows, migrations: done } = readContents(sqlite)
  const sum = Object.values(rows).reduce((all, n) => all + n, 0)
  return [
    ok('base de datos', `íntegra, ${formatPlural(sum, 'fila', 'filas')}`),
    checkReferences(sqlite),
    checkMigrations(done),
    ...checkCounts(sqlite, done),
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

const pendingMigrations = (done: readonly string[]) => Object.keys(migrations).filter((name) => !done.includes(name))

function checkMigrations(done: readonly string[]): Finding {
  const strange = done.filter((name) => !Object.hasOwn(migrations, name))
  if (strange.length > 0)
    return failure('migraciones', `la base de datos es de una versión más nueva del programa (${formatSome(strange)})`)
  const pending = pendingMigrations(done)
  if (pending.length > 0)
    return warning(
      'migraciones',
      `${formatPlural(pending.length, 'pendiente', 'pendientes')}: se harán al arrancar (${formatSome(pending)})`,
    )
  return ok('migraciones', 'todas hechas')
}

function checkCounts(sqlite: Database.Database, done: readonly string[]): Finding[] {
  // What older databases do not have yet cannot be counted.
  if (pendingMigrations(done).length > 0) return []
  const off = findCountDrift(sqlite)
  if (off.length === 0) return [ok('recuentos', 'todos cuadran')]
  return off.map(({ name, rows }) =>
    failure('recuentos', `no cuadra: ${name} (${formatPlural(rows, 'fila', 'filas')})`, true),
  )
}
