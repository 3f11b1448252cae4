/**
 * Makes a backup, run by scripts/backup.mjs and, with --nightly, by the server. Its last line says how it went.
 * Exit 0: the backup is there; 1: there is none; 2: words it does not know.
 */
import { setPriority } from 'node:os'
import { formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import { deleteExpiredBackups, makeBackup } from '#features/maintenance/backup.server.ts'
import { writeOutcome } from '#features/maintenance/backup-record.server.ts'
import { runOrExit, startCommand, exitWithError, print } from './lib/maintenance.ts'

const USAGE = `Uso: npm run backup [-- --prune]

Guarda una copia comprobada de DATA_DIR en BACKUP_DIR, también con el sitio en marcha.

  --prune   después retira las copias antiguas que BACKUPS no pide guardar`

const { has, words, env } = startCommand(USAGE, ['prune', 'nightly'])
if (words.length > 0) exitWithError(`no entiendo «${words.join(' ')}».\n\n${USAGE}`, 2)
const { dataDir, backupDir, backups } = env

// The site's own requests come first.
setPriority(10)
const started = Date.now()
const backup = await runOrExit(makeBackup({ dataDir, backupDir }), (text) =>
  writeOutcome(backupDir, { at: Date.now(), ok: false, text }),
)
if (backup.missing.length > 0)
  print(
    `${formatPlural(backup.missing.length, 'foto', 'fotos')} de los datos no están en el disco: mira npm run doctor`,
  )
if ((has('prune') || has('nightly')) && backups) {
  const gone = await deleteExpiredBackups(backupDir, backups)
  if (gone.length > 0) print(`${formatPlural(gone.length, 'copia antigua retirada', 'copias antiguas retiradas')}`)
}
const seconds = ((Date.now() - started) / 1000).toLocaleString('es-ES', { maximumFractionDigits: 1 })
const text = `copia de seguridad ${backup.name}: ${formatPlural(backup.files, 'archivo', 'archivos')}, ${formatBytes(backup.bytes)} (nuevo: ${formatBytes(backup.added.bytes)}), comprobada en ${seconds} s`
await writeOutcome(backupDir, { at: Date.now(), ok: true, text })
if (!has('nightly')) print(`en ${backup.path}`)
print(text)
