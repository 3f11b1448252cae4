import type Database from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import { many } from '../care.ts'
import { drift } from '../counts.server.ts'
import { faultsOf, holdingsOf } from '../snapshot.server.ts'
import { aviso, bad, type Finding, ok, some } from './finding.ts'

/** The database itself: its pages, its references, its migrations, and the numbers that triggers keep. */
export function examineDatabase(sqlite: Database.Database): Finding[] {
  const faults = faultsOf(sqlite)
  if (faults.length > 0)
    return [bad('base de datos', `está dañada (${some(faults, 1)}): restaura la última copia con npm run restore`)]
  const { rows, migrations: done } = holdingsOf(sqlite)
  const sum = Object.values(rows).reduce((all, n) => all + n, 0)
  return [
    ok('base de datos', `íntegra, ${many(sum, 'fila', 'filas')}`),
    examineReferences(sqlite),
    examineMigrations(done),
    ...examineCounts(sqlite, done),
  ]
}

function examineReferences(sqlite: Database.Database): Finding {
  const broken = sqlite.pragma('foreign_key_check') as { table: string }[]
  if (broken.length === 0) return ok('referencias', 'todas llevan a su fila')
  const tables = [...new Set(broken.map(({ table }) => table))]
  return bad(
    'referencias',
    `${many(broken.length, 'fila nombra', 'filas nombran')} lo que ya no existe (${some(tables)})`,
  )
}

const pendingOf = (done: readonly string[]) => Object.keys(migrations).filter((name) => !done.includes(name))

function examineMigrations(done: readonly string[]): Finding {
  const strange = done.filter((name) => !Object.hasOwn(migrations, name))
  if (strange.length > 0)
    return bad('migraciones', `la base de datos es de una versión más nueva del programa (${some(strange)})`)
  const pending = pendingOf(done)
  if (pending.length > 0)
    return aviso(
      'migraciones',
      `${many(pending.length, 'pendiente', 'pendientes')}: se harán al arrancar (${some(pending)})`,
    )
  return ok('migraciones', 'todas hechas')
}

function examineCounts(sqlite: Database.Database, done: readonly string[]): Finding[] {
  // What older databases do not have yet cannot be counted.
  if (pendingOf(done).length > 0) return []
  const off = drift(sqlite)
  if (off.length === 0) return [ok('recuentos', 'todos cuadran')]
  return off.map(({ name, rows }) => bad('recuentos', `no cuadra: ${name} (${many(rows, 'fila', 'filas')})`, true))
}
