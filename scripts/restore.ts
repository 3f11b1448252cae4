/**
 * Replaces the data with a backup, run by scripts/restore.mjs. Exit 0: done; 1: failed, and nothing has changed unless the line
 * says so; 2: no backup named, or unknown arguments.
 */
import { basename, join, resolve } from 'node:path'
import { formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import { isThere } from '#features/maintenance/files.server.ts'
import { listBackups, readRecord } from '#features/maintenance/backup-record.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { restoreCommand } from '#features/maintenance/postgres.server.ts'
import { openCommandBucket, print, runOrExit, startCommand } from './lib/command-line.ts'

const USAGE = `Uso: npm run restore -- <copia>

Pone una copia de BACKUP_DIR, o la de una carpeta, en el lugar de los datos de DATA_DIR. El sitio tiene que estar parado.
Lo que había no se borra: queda en una carpeta before-restore-… dentro de DATA_DIR.
Con DATABASE_URL restaura todo menos la base de datos, y dice la orden de pg_restore.`

const { words, env } = startCommand(USAGE, [])
const { dataDir, databaseUrl, backupDir } = env
await openCommandBucket(env)
if (words.length !== 1) {
  console.error(USAGE)
  await printBackups()
  process.exit(2)
}

const [word] = words as [string]
const inFolder = join(backupDir, word)
const backup = (await runOrExit(isThere(inFolder))) ? inFolder : (await runOrExit(isThere(word))) ? word : null
if (!backup) {
  console.error(`perrario · no hay ninguna copia «${word}».`)
  await printBackups()
  process.exit(1)
}
const restored = await runOrExit(restoreBackup({ dataDir, databaseUrl, backup: resolve(backup) }))
const { rows } = restored
print(
  `restaurada la copia ${basename(backup)}: ${formatPlural(rows.dogs_all ?? rows.dogs ?? 0, 'perro', 'perros')}, ${formatPlural(rows.profiles_all ?? rows.profiles ?? 0, 'perfil', 'perfiles')}, ${formatPlural(restored.files - (restored.database ? 1 : 0), 'archivo', 'archivos')}`,
)
if (databaseUrl) print(`la base de datos se restaura aparte: ${restoreCommand(databaseUrl)}`)
if (restored.aside) print(`lo que había está en ${restored.aside}: bórralo cuando no lo necesites`)

async function printBackups(): Promise<void> {
  const names = await runOrExit(listBackups(backupDir))
  console.error(names.length ? `\nCopias en ${resolve(backupDir)}:` : `\nNo hay copias en ${resolve(backupDir)}.`)
  for (const name of names) {
    const record = await readRecord(join(backupDir, name)).catch(() => null)
    console.error(`  ${name}  ${record ? formatBytes(record.bytes) : 'dañada'}`)
  }
}
