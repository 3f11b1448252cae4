import { join } from 'node:path'
import { backupTime, formatBytes, many, type Retention } from '../care.ts'
import { freeSpace, hashFile, isBlank } from '../files.server.ts'
import { listBackups, PACKED, readOutcome, readRecord, readSums, SUMS } from '../record.server.ts'
import { aviso, bad, type Finding, ok, some } from './finding.ts'

const DAY = 86_400_000
/** A night may be missed; three in a row are a backup that nobody makes. */
const OLD = 1.5 * DAY
const TOO_OLD = 4 * DAY

/** Whether there are backups, how old the newest is, how the last attempt ended, and whether the next one fits. */
export async function examineCopies(backupDir: string, wanted: Retention | null, now: number): Promise<Finding[]> {
  const names = await listBackups(backupDir)
  const last = await readOutcome(backupDir)
  const findings = [await examineNewest(backupDir, names, wanted, now), ...(await examineOlder(backupDir, names))]
  const newest = backupTime(names.at(-1) ?? '') ?? 0
  if (last && !last.ok && last.at > newest) findings.push(bad('última copia', `no se hizo: ${last.text}`))
  const room = await examineNext(backupDir, names)
  return room ? [...findings, room] : findings
}

async function examineNewest(
  backupDir: string,
  names: readonly string[],
  wanted: Retention | null,
  now: number,
): Promise<Finding> {
  const name = names.at(-1)
  const off = wanted ? '' : ' (BACKUPS=off: el sitio no las hace)'
  if (!name) return aviso('copias', `todavía no hay ninguna en ${backupDir}${off}: npm run backup`)
  const record = await readRecord(join(backupDir, name)).catch(() => null)
  if (!record || (await hashFile(join(backupDir, name, SUMS)).catch(() => null)) !== record.sums)
    return bad('copias', `la última, ${name}, está dañada`)
  const blank = await blankFiles(join(backupDir, name))
  if (blank.length > 0)
    return bad('copias', `la última, ${name}, está dañada: falta, está vacío o lleno de ceros ${some(blank)}`)
  const days = Math.floor((now - record.created_at) / DAY)
  const text = `${many(names.length, 'copia', 'copias')}, la última ${name} (${formatBytes(record.bytes)})${off}`
  const age = now - record.created_at
  if (age > TOO_OLD) return bad('copias', `${text}: es de hace ${days} días`)
  if (age > OLD) return aviso('copias', `${text}: es de hace ${many(days, 'día', 'días')}`)
  if (record.created_at > now + DAY) return aviso('copias', `${text}: dice ser del futuro, revisa la hora del sistema`)
  return ok('copias', text)
}

/** The files of a backup that are gone or hold nothing; their content is compared by a restore. */
async function blankFiles(backup: string): Promise<string[]> {
  const blank: string[] = []
  for (const path of (await readSums(backup)).keys()) if (await isBlank(join(backup, path))) blank.push(path)
  return blank
}

/** Whether those before the newest have a record and a database. */
async function examineOlder(backupDir: string, names: readonly string[]): Promise<Finding[]> {
  const damaged: string[] = []
  for (const name of names.slice(0, -1)) {
    const record = await readRecord(join(backupDir, name)).catch(() => null)
    if (!record || (await isBlank(join(backupDir, name, PACKED)))) damaged.push(name)
  }
  if (damaged.length === 0) return []
  return [aviso('copias anteriores', `${many(damaged.length, 'dañada', 'dañadas')} (${some(damaged)})`)]
}

/** The next backup needs about what the last one added, and the database unpacked. */
async function examineNext(backupDir: string, names: readonly string[]): Promise<Finding | null> {
  const record = names.length > 0 ? await readRecord(join(backupDir, names.at(-1)!)).catch(() => null) : null
  if (!record) return null
  const wanted = record.database.bytes * 1.5 + record.added.bytes
  const free = await freeSpace(backupDir).catch(() => Infinity)
  if (free >= wanted) return null
  return bad('copias', `la próxima no cabe: hacen falta ${formatBytes(wanted)} y quedan ${formatBytes(free)}`)
}
