import { join } from 'node:path'
import { backupTime, formatBytes, formatPlural, type BackupRetention } from '#features/maintenance/maintenance.ts'
import { freeSpace, hashFile, isBlank } from '#features/maintenance/files.server.ts'
import {
  listBackups,
  PACKED_DATABASE,
  readOutcome,
  readRecord,
  readChecksums,
  CHECKSUMS_FILE,
} from '#features/maintenance/backup-record.server.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'

const DAY_MS = 86_400_000
/** A night may be missed; three in a row are a backup that nobody makes. */
const WARN_AGE_MS = 1.5 * DAY_MS
const ERROR_AGE_MS = 4 * DAY_MS

/** Whether there are backups, how old the newest is, how the last attempt ended, and whether the next one fits. */
export async function checkBackups(backupDir: string, wanted: BackupRetention | null, now: number): Promise<Finding[]> {
  const names = await listBackups(backupDir)
  const last = await readOutcome(backupDir)
  const findings = [await checkNewestBackup(backupDir, names, wanted, now), ...(await examineOlder(backupDir, names))]
  const newest = backupTime(names.at(-1) ?? '') ?? 0
  if (last && !last.ok && last.at > newest) findings.push(failure('última copia', `no se hizo: ${last.text}`))
  const room = await checkSpaceForNext(backupDir, names)
  return room ? [...findings, room] : findings
}

async function checkNewestBackup(
  backupDir: string,
  names: readonly string[],
  wanted: BackupRetention | null,
  now: number,
): Promise<Finding> {
  const name = names.at(-1)
  const off = wanted ? '' : ' (BACKUPS=off: el sitio no las hace)'
  if (!name) return warning('copias', `todavía no hay ninguna en ${backupDir}${off}: npm run backup`)
  const record = await readRecord(join(backupDir, name)).catch(() => null)
  if (!record || (await hashFile(join(backupDir, name, CHECKSUMS_FILE)).catch(() => null)) !== record.sums)
    return failure('copias', `la última, ${name}, está dañada`)
  const blank = await blankFiles(join(backupDir, name))
  if (blank.length > 0)
    return failure('copias', `la última, ${name}, está dañada: falta, está vacío o lleno de ceros ${formatSome(blank)}`)
  const days = Math.floor((now - record.created_at) / DAY_MS)
  const text = `${formatPlural(names.length, 'copia', 'copias')}, la última ${name} (${formatBytes(record.bytes)})${off}`
  const age = now - record.created_at
  if (age > ERROR_AGE_MS) return failure('copias', `${text}: es de hace ${days} días`)
  if (age > WARN_AGE_MS) return warning('copias', `${text}: es de hace ${formatPlural(days, 'día', 'días')}`)
  if (record.created_at > now + DAY_MS)
    return warning('copias', `${text}: dice ser del futuro, revisa la hora del sistema`)
  return ok('copias', text)
}

/** The files of a backup that are gone or hold nothing; their content is compared by a restore. */
async function blankFiles(backup: string): Promise<string[]> {
  const blank: string[] = []
  for (const path of (await readChecksums(backup)).keys()) if (await isBlank(join(backup, path))) blank.push(path)
  return blank
}

/** Whether those before the newest have a record and a database. */
async function examineOlder(backupDir: string, names: readonly string[]): Promise<Finding[]> {
  const damaged: string[] = []
  for (const name of names.slice(0, -1)) {
    const record = await readRecord(join(backupDir, name)).catch(() => null)
    if (!record || (await isBlank(join(backupDir, name, PACKED_DATABASE)))) damaged.push(name)
  }
  if (damaged.length === 0) return []
  return [warning('copias anteriores', `${formatPlural(damaged.length, 'dañada', 'dañadas')} (${formatSome(damaged)})`)]
}

/** The next backup needs about what the last one added, and the database unpacked. */
async function checkSpaceForNext(backupDir: string, names: readonly string[]): Promise<Finding | null> {
  const record = names.length > 0 ? await readRecord(join(backupDir, names.at(-1)!)).catch(() => null) : null
  if (!record) return null
  const wanted = record.database.bytes * 1.5 + record.added.bytes
  const free = await freeSpace(backupDir).catch(() => Infinity)
  if (free >= wanted) return null
  return failure('copias', `la próxima no cabe: hacen falta ${formatBytes(wanted)} y quedan ${formatBytes(free)}`)
}
