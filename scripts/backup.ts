/**
 * Makes a backup. Run by scripts/backup.mjs and, with --nightly, by the server, which logs the last line of its output.
 * Exit 0: the backup is complete; 1: there is none; 2: unknown arguments.
 */
import { setPriority } from 'node:os'
import { formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import { pruneBucketBackups } from '#features/maintenance/backup-bucket.server.ts'
import { deleteExpiredBackups, makeBackup } from '#features/maintenance/backup.server.ts'
import { writeOutcome } from '#features/maintenance/backup-record.server.ts'
import { dumpCommand } from '#features/maintenance/postgres.server.ts'
import { exitWithError, openCommandBucket, print, runOrExit, startCommand } from './lib/command-line.ts'

const USAGE = `Uso: npm run backup [-- --prune]

Guarda una copia comprobada de DATA_DIR en BACKUP_DIR, también con el sitio en marcha.
Con DATABASE_URL guarda todo menos la base de datos, y dice la orden de pg_dump.

  --prune   después retira las copias antiguas que BACKUPS no pide guardar`

const { hasFlag, words, env } = startCommand(USAGE, ['prune', 'nightly'])
if (words.length > 0) exitWithError(`no entiendo «${words.join(' ')}».\n\n${USAGE}`, 2)
const { dataDir, databaseUrl, backupDir, backups } = env
const bucket = await openCommandBucket(env)

// The site's own requests come first.
setPriority(10)
const startedAt = Date.now()
const backup = await runOrExit(makeBackup({ dataDir, backupDir, databaseUrl }), (text) =>
  writeOutcome(backupDir, { at: Date.now(), ok: false, text }),
)
if (backup.missing.length > 0)
  print(
    `${formatPlural(backup.missing.length, 'foto', 'fotos')} de los datos no están en ${bucket ? 'el bucket' : 'el disco'}: mira npm run doctor`,
  )
if ((hasFlag('prune') || hasFlag('nightly')) && backups) {
  const deleted = await deleteExpiredBackups(backupDir, backups)
  if (deleted.length > 0) print(formatPlural(deleted.length, 'copia antigua retirada', 'copias antiguas retiradas'))
  if (bucket) await pruneBucketBackups(bucket, backups)
}
const seconds = ((Date.now() - startedAt) / 1000).toLocaleString('es-ES', { maximumFractionDigits: 1 })
const inBucket = backup.bucket
  ? `, ${formatPlural(backup.bucket.files, 'foto', 'fotos')} en el bucket, ${formatBytes(backup.bucket.bytes)}`
  : ''
const withoutDatabase = databaseUrl ? ', sin la base de datos' : ''
const text = `copia de seguridad ${backup.name}: ${formatPlural(backup.files, 'archivo', 'archivos')}, ${formatBytes(backup.bytes)}${inBucket}${withoutDatabase} (nuevo: ${formatBytes(backup.added.bytes)}), comprobada en ${seconds} s`
await writeOutcome(backupDir, { at: Date.now(), ok: true, text })
if (!hasFlag('nightly')) print(`en ${backup.path}`)
if (databaseUrl && !hasFlag('nightly'))
  print(`la base de datos está en PostgreSQL: cópiala antes que las fotos con ${dumpCommand(databaseUrl)}`)
print(text)
