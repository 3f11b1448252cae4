/**
 * Puts a backup in the place of the data, run by scripts/restore.mjs. Exit 0: done; 1: nothing was changed, or the line
 * says what; 2: no backup named, or words it does not know.
 */
import { basename, join, resolve } from 'node:path'
import { formatBytes, many } from '#features/care/care.ts'
import { isThere } from '#features/care/files.server.ts'
import { listBackups, readRecord } from '#features/care/record.server.ts'
import { restoreBackup } from '#features/care/restore.server.ts'
import { attempt, begin, say } from './lib/care.ts'

const USAGE = `Uso: npm run restore -- <copia>

Pone una copia de BACKUP_DIR, o la de una carpeta, en el lugar de los datos de DATA_DIR. El sitio tiene que estar parado.
Lo que había no se borra: queda en una carpeta before-restore-… dentro de DATA_DIR.`

const { words, env } = begin(USAGE, [])
const { dataDir, backupDir } = env
if (words.length !== 1) {
  console.error(USAGE)
  await list()
  process.exit(2)
}

const [word] = words as [string]
const inFolder = join(backupDir, word)
const backup = (await attempt(isThere(inFolder))) ? inFolder : (await attempt(isThere(word))) ? word : null
if (!backup) {
  console.error(`perrario · no hay ninguna copia «${word}».`)
  await list()
  process.exit(1)
}
const restored = await attempt(restoreBackup({ dataDir, backup: resolve(backup) }))
const { rows } = restored
say(
  `restaurada la copia ${basename(backup)}: ${many(rows.dogs ?? 0, 'perro', 'perros')}, ${many(rows.profiles ?? 0, 'perfil', 'perfiles')}, ${many(restored.files - 1, 'archivo', 'archivos')}`,
)
if (restored.aside) say(`lo que había está en ${restored.aside}: bórralo cuando no lo necesites`)

async function list(): Promise<void> {
  const names = await attempt(listBackups(backupDir))
  console.error(names.length ? `\nCopias en ${resolve(backupDir)}:` : `\nNo hay copias en ${resolve(backupDir)}.`)
  for (const name of names) {
    const record = await readRecord(join(backupDir, name)).catch(() => null)
    console.error(`  ${name}  ${record ? formatBytes(record.bytes) : 'dañada'}`)
  }
}
