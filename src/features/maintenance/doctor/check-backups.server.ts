import { join } from 'node:path'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { BACKUP_FREE_MARGIN_BYTES, backupTime, formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import { findWriteFault, freeSpace, hashFile, isBlank } from '#features/maintenance/files.server.ts'
import {
  listBackups,
  PACKED_DATABASE,
  readOutcome,
  readRecord,
  readChecksums,
  CHECKSUMS_FILE,
} from '#features/maintenance/backup-record.server.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'
import { DAY_MS } from '#lib/time.ts'

/** One missed night is a warning; three in a row mean that no backups are made. */
const WARN_AGE_MS = 1.5 * DAY_MS
const ERROR_AGE_MS = 4 * DAY_MS

/**
 * Checks whether there are backups, how old the newest is, how the last attempt ended, and whether the next one fits on the disk.
 * @param retention the setting BACKUPS; null where the site makes none
 */
export async function checkBackups(
  backupDir: string,
  retention: BackupRetention | null,
  now: number,
): Promise<Finding[]> {
  const names = await listBackups(backupDir)
  const outcome = await readOutcome(backupDir)
  const fault = retention && findWriteFault(backupDir)
  const findings = [
    ...(fault ? [failure('copias', `no se pueden escribir en ${backupDir}: ${fault}`)] : []),
    await checkNewestBackup(backupDir, names, retention, now),
    ...(await checkOlderBackups(backupDir, names)),
  ]
  const newest = backupTime(names.at(-1) ?? '') ?? 0
  if (outcome && !outcome.ok && outcome.at > newest)
    findings.push(failure('última copia', `no se hizo: ${outcome.text}`))
  const space = await checkSpaceForNext(backupDir, names)
  return space ? [...findings, space] : findings
}

async function checkNewestBackup(
  backupDir: string,
  names: readonly string[],
  retention: BackupRetention | null,
  now: number,
): Promise<Finding> {
  const name = names.at(-1)
  const offText = retention ? '' : ' (BACKUPS=off: el sitio no las hace)'
  if (!name) return warning('copias', `todavía no hay ninguna en ${backupDir}${offText}: npm run backup`)
  const record = await readRecord(join(backupDir, name)).catch(() => null)
  if (!record || (await hashFile(join(backupDir, name, CHECKSUMS_FILE)).catch(() => null)) !== record.sums)
    return failure('copias', `la última, ${name}, está dañada`)
  const blank = await listBlankFiles(join(backupDir, name))
  if (blank.length > 0)
    return failure('copias', `la última, ${name}, está dañada: falta, está vacío o lleno de ceros ${formatSome(blank)}`)
  const age = now - record.created_at
  const days = Math.floor(age / DAY_MS)
  const withoutText = record.database ? '' : ', sin la base de datos, que es cosa de pg_dump'
  const text = `${formatPlural(names.length, 'copia', 'copias')}, la última ${name} (${formatBytes(record.bytes)})${withoutText}${offText}`
  if (age > ERROR_AGE_MS) return failure('copias', `${text}: es de hace ${days} días`)
  if (age > WARN_AGE_MS) return warning('copias', `${text}: es de hace ${formatPlural(days, 'día', 'días')}`)
  if (record.created_at > now + DAY_MS)
    return warning('copias', `${text}: dice ser del futuro, revisa la hora del sistema`)
  return ok('copias', text)
}

/** Lists the files of a backup that are missing or blank. A restore also compares their content. */
async function listBlankFiles(backup: string): Promise<string[]> {
  const blank: string[] = []
  for (const path of (await readChecksums(backup)).keys()) if (await isBlank(join(backup, path))) blank.push(path)
  return blank
}

/** Checks whether the older backups have a record and a database. */
async function checkOlderBackups(backupDir: string, names: readonly string[]): Promise<Finding[]> {
  const damaged: string[] = []
  for (const name of names.slice(0, -1)) {
    const record = await readRecord(join(backupDir, name)).catch(() => null)
    const isDatabaseLost = record?.database && (await isBlank(join(backupDir, name, PACKED_DATABASE)))
    if (!record || isDatabaseLost) damaged.push(name)
  }
  if (damaged.length === 0) return []
  return [warning('copias anteriores', `${formatPlural(damaged.length, 'dañada', 'dañadas')} (${formatSome(damaged)})`)]
}

/** Checks the disk space: the next backup needs about what the last one added, the unpacked database, and what it leaves free. */
async function checkSpaceForNext(backupDir: string, names: readonly string[]): Promise<Finding | null> {
  const newest = names.at(-1)
  const record = newest === undefined ? null : await readRecord(join(backupDir, newest)).catch(() => null)
  if (!record) return null
  const requiredBytes = (record.database?.bytes ?? 0) * 1.5 + record.added.bytes + BACKUP_FREE_MARGIN_BYTES
  const freeBytes = await freeSpace(backupDir).catch(() => Infinity)
  if (freeBytes >= requiredBytes) return null
  return failure(
    'copias',
    `la próxima no cabe: hacen falta ${formatBytes(requiredBytes)} y quedan ${formatBytes(freeBytes)}`,
  )
}
