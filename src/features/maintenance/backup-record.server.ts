import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeFileAtomically } from '#features/storage/files.server.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { backupTime, MaintenanceError } from './maintenance.ts'
import { hashFile, ifAbsent, syncFolder } from './files.server.ts'

/** The database's file in a backup, gzipped. */
export const PACKED_DATABASE = 'perrario.db.gz'
/** Path and sha256 of every file of a backup, as `sha256sum -c` reads it. */
export const CHECKSUMS_FILE = 'SHA256SUMS'
/** The same of a backup's photos whose copies are in a bucket. */
export const BUCKET_PHOTOS_FILE = 'SHA256SUMS.bucket'
const RECORD_FILE = 'backup.json'
const OUTCOME_FILE = 'last.json'

const count = z.number().check(z.gte(0))
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const recordSchema = z.object({
  format: z.literal(1),
  created_at: z.number(),
  /** Rows by table. */
  rows: z.record(z.string(), count),
  migrations: z.array(z.string()),
  /** Size and sha256 of the unpacked database; null where it is a PostgreSQL, of which the backup has no copy. */
  database: z.nullable(z.object({ bytes: count, sha256: hash })),
  /** Number of files in the backup, database included, and their total size. */
  files: count,
  bytes: count,
  /** The files that this backup does not share with the previous one, in the backup and in the bucket. */
  added: z.object({ files: count, bytes: count }),
  /** Photos that rows reference and that were missing. */
  missing: z.array(z.string()),
  /** Photos whose copies are in a bucket; absent where they are in the backup. */
  bucket: z.optional(z.object({ files: count, bytes: count })),
  /** sha256 of SHA256SUMS. */
  sums: hash,
})
export type BackupRecord = z.infer<typeof recordSchema>

/** The names of the backups in the folder, oldest first. */
export async function listBackups(backupDir: string): Promise<string[]> {
  const entries = await readdir(backupDir, { withFileTypes: true }).catch(ifAbsent([]))
  return entries
    .filter((entry) => entry.isDirectory() && backupTime(entry.name) !== null)
    .map((entry) => entry.name)
    .toSorted()
}

const damagedError = (backup: string, file: string) =>
  new MaintenanceError(`la copia ${backup} está dañada: ${file} no se entiende.`)

/** Reads a backup's record. @throws MaintenanceError when it is missing or invalid */
export async function readRecord(backup: string): Promise<BackupRecord> {
  const text = await readFile(join(backup, RECORD_FILE), 'utf8').catch(ifAbsent(null))
  if (text === null) throw new MaintenanceError(`en ${backup} no hay ninguna copia (falta ${RECORD_FILE}).`)
  try {
    return z.parse(recordSchema, JSON.parse(text))
  } catch {
    throw damagedError(backup, RECORD_FILE)
  }
}

/** Whether the list of a backup's files is the one that was written. */
export const areSumsIntact = async (backup: string, { sums }: BackupRecord): Promise<boolean> =>
  (await hashFile(join(backup, CHECKSUMS_FILE)).catch(() => null)) === sums

/**
 * Reads the sha256 of every file, by path. @param name of another list in the same format
 * @throws MaintenanceError for an invalid file, or a path outside the backup
 */
export const readChecksums = async (backup: string, name = CHECKSUMS_FILE): Promise<Map<string, string>> =>
  parseChecksums(await readFile(join(backup, name), 'utf8'), backup, name)

/** The same of a list in memory. @param backup for the error */
export function parseChecksums(text: string, backup: string, name = CHECKSUMS_FILE): Map<string, string> {
  const sums = new Map<string, string>()
  for (const line of text.split(/\r?\n/).filter(Boolean)) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (!sum || !path || path.startsWith('/') || path.split('/').includes('..')) throw damagedError(backup, name)
    sums.set(path, sum)
  }
  return sums
}

/** The list as `sha256sum -c` reads it, sorted by path. */
export const formatChecksums = (sums: ReadonlyMap<string, string>): string =>
  [...sums.keys()]
    .toSorted()
    .map((path) => `${sums.get(path)}  ${path}\n`)
    .join('')

/** Writes the checksums, then the record, and waits for the disk. */
export async function writeRecord(
  backup: string,
  sums: ReadonlyMap<string, string>,
  record: Omit<BackupRecord, 'sums' | 'format'>,
): Promise<BackupRecord> {
  const file = join(backup, CHECKSUMS_FILE)
  await writeFileAtomically(file, Buffer.from(formatChecksums(sums)), { durable: true })
  const complete: BackupRecord = { format: 1, ...record, sums: await hashFile(file) }
  await writeJson(join(backup, RECORD_FILE), complete, 2)
  await syncFolder(backup)
  return complete
}

const writeJson = (file: string, content: unknown, indent = 0): Promise<void> =>
  writeFileAtomically(file, Buffer.from(`${JSON.stringify(content, null, indent)}\n`), { durable: true })

/** Reads every file of a backup again. @returns the paths of those that are missing or changed, sorted */
export async function findDamagedFiles(backup: string, sums: ReadonlyMap<string, string>): Promise<string[]> {
  const damaged: string[] = []
  await forEachConcurrently(sums, 4, async ([path, sum]) => {
    if ((await hashFile(join(backup, path)).catch(() => null)) !== sum) damaged.push(path)
  })
  return damaged.toSorted()
}

/** How a backup attempt ended. */
export interface BackupOutcome {
  /** ms */
  at: number
  ok: boolean
  /** One Spanish sentence. */
  text: string
}

/** Stores how an attempt ended, for the doctor. Where it cannot be written, only the log has it. */
export const writeOutcome = (backupDir: string, outcome: BackupOutcome): Promise<void> =>
  writeJson(join(backupDir, OUTCOME_FILE), outcome).catch(() => {})

/** How the last attempt ended; null when there is no valid note of it. */
export async function readOutcome(backupDir: string): Promise<BackupOutcome | null> {
  try {
    const { at, ok, text } = JSON.parse(await readFile(join(backupDir, OUTCOME_FILE), 'utf8')) as Partial<BackupOutcome>
    return typeof at === 'number' && typeof ok === 'boolean' ? { at, ok, text: String(text) } : null
  } catch {
    return null
  }
}
