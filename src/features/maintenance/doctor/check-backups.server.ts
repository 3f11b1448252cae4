import { join } from 'node:path'
import * as backups from '#features/maintenance/backup-record.server.ts'
import { findWriteFault, freeSpace, isBlank } from '#features/maintenance/files.server.ts'
import { BACKUP_FREE_MARGIN_BYTES, backupTime, formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { DAY_MS } from '#lib/time.ts'
import { failure, type Finding, formatSome, ok, warning } from './finding.ts'

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
  const names = await backups.listBackups(backupDir)
  const records = new Map(
    await Promise.all(
      names.map(async (name) => [name, await backups.readRecord(join(backupDir, name)).catch(() => null)] as const),
    ),
  )
  const findings: Finding[] = []
  const fault = retention && findWriteFault(backupDir)
  if (fault) findings.push(failure('copias', `no se pueden escribir en ${backupDir}: ${fault}`))
  const newest = names.at(-1)
  const offText = retention ? '' : ' (BACKUPS=off: el sitio no las hace)'
  if (newest === undefined)
    findings.push(warning('copias', `todavía no hay ninguna en ${backupDir}${offText}: npm run backup`))
  else findings.push(await checkNewest())
  const damaged: string[] = []
  for (const name of names.slice(0, -1)) {
    const record = records.get(name)
    if (!record || (record.database && (await isBlank(join(backupDir, name, backups.PACKED_DATABASE)))))
      damaged.push(name)
  }
  const damagedText = formatPlural(damaged.length, 'dañada', 'dañadas')
  if (damaged.length > 0) findings.push(warning('copias anteriores', `${damagedText} (${formatSome(damaged)})`))
  const outcome = await backups.readOutcome(backupDir)
  if (outcome && !outcome.ok && outcome.at > (backupTime(newest ?? '') ?? 0))
    findings.push(failure('última copia', `no se hizo: ${outcome.text}`))
  const last = newest === undefined ? null : records.get(newest)
  if (!last) return findings
  // About what the last one added, the unpacked database, and what it leaves free.
  const requiredBytes = (last.database?.bytes ?? 0) * 1.5 + last.added.bytes + BACKUP_FREE_MARGIN_BYTES
  const freeBytes = await freeSpace(backupDir).catch(() => Infinity)
  const spaceText = `hacen falta ${formatBytes(requiredBytes)} y quedan ${formatBytes(freeBytes)}`
  if (freeBytes < requiredBytes) findings.push(failure('copias', `la próxima no cabe: ${spaceText}`))
  return findings

  async function checkNewest(): Promise<Finding> {
    const [path, record] = [join(backupDir, newest!), records.get(newest!)]
    if (!record || !(await backups.areSumsIntact(path, record)))
      return failure('copias', `la última, ${newest}, está dañada`)
    // A restore also compares their content.
    const blank: string[] = []
    for (const file of (await backups.readChecksums(path)).keys()) if (await isBlank(join(path, file))) blank.push(file)
    const blankText = `falta, está vacío o lleno de ceros ${formatSome(blank)}`
    if (blank.length > 0) return failure('copias', `la última, ${newest}, está dañada: ${blankText}`)
    const withoutText = record.database ? '' : ', sin la base de datos, que es cosa de pg_dump'
    const size = `(${formatBytes(record.bytes)})${withoutText}${offText}`
    const text = `${formatPlural(names.length, 'copia', 'copias')}, la última ${newest} ${size}`
    const age = now - record.created_at
    const days = formatPlural(Math.floor(age / DAY_MS), 'día', 'días')
    if (age > ERROR_AGE_MS) return failure('copias', `${text}: es de hace ${days}`)
    if (age > WARN_AGE_MS) return warning('copias', `${text}: es de hace ${days}`)
    if (age < -DAY_MS) return warning('copias', `${text}: dice ser del futuro, revisa la hora del sistema`)
    return ok('copias', text)
  }
}
