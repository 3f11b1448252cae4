import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { backupTime, MaintenanceError } from './maintenance.ts'
import { hashFile, ifAbsent, syncFolder } from './files.server.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import type { DatabaseContents } from './database-contents.server.ts'

/** The database's file in a backup, gzipped. */
export const PACKED_DATABASE = 'perrario.db.gz'
/** Path and sha256 of every file of a backup, as `sha256sum -c` reads it. */
export const CHECKSUMS_FILE = 'SHA256SUMS'
const RECORD_FILE = 'backup.json'
/** Ends the name of an unfinished backup, which never counts as one. */
export const UNFINISHED_SUFFIX = '.part'
const OUTCOME_FILE = 'last.json'

export interface BackupRecord extends DatabaseContents {
  created_at: number
  /** Size and sha256 of the unpacked database; null where it is a PostgreSQL, of which the backup has no copy. */
  database: { bytes: number; sha256: string } | null
  /** Number of files in the backup, database included. */
  files: number
  /** Their total size. */
  bytes: number
  /** The files that this backup does not share with the previous one, in the backup and in the bucket. */
  added: { files: number; bytes: number }
  /** Photos that rows reference and that were missing. */
  missing: string[]
  /** Photos whose copies are in a bucket; absent where they are in the backup. */
  bucket?: { files: number; bytes: number } | undefined
  /** sha256 of SHA256SUMS. */
  sums: string
}

const countSchema = z.number().check(z.gte(0))
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const recordSchema = z.object({
  format: z.literal(1),
  created_at: z.number(),
  rows: z.record(z.string(), countSchema),
  migrations: z.array(z.string()),
  database: z.nullable(z.object({ bytes: countSchema, sha256: hashSchema })),
  files: countSchema,
  bytes: countSchema,
  added: z.object({ files: countSchema, bytes: countSchema }),
  missing: z.array(z.string()),
  bucket: z.optional(z.object({ files: countSchema, bytes: countSchema })),
  sums: hashSchema,
})

/** The names of the backups in the folder, oldest first. */
export async function listBackups(backupDir: string): Promise<string[]> {
  const entries = await readdir(backupDir, { withFileTypes: true }).catch(ifAbsent([]))
  return entries
    .filter((entry) => entry.isDirectory() && backupTime(entry.name) !== null)
    .map((entry) => entry.name)
    .toSorted()
}

/** Reads a backup's record. @throws MaintenanceError when it is missing or invalid */
export async function readRecord(backup: string): Promise<BackupRecord> {
  const text = await readFile(join(backup, RECORD_FILE), 'utf8').catch(ifAbsent(null))
  if (text === null) throw new MaintenanceError(`en ${backup} no hay ninguna copia (falta ${RECORD_FILE}).`)
  try {
    const { success, data } = recordSchema.safeParse(JSON.parse(text))
    if (success) return data
  } catch {
    // The error is thrown below.
  }
  throw new MaintenanceError(`la copia ${backup} está dañada: ${RECORD_FILE} no se entiende.`)
}

/**
 * Reads the sha256 of every file, by path.
 * @param name of another list in the same format
 * @throws MaintenanceError for an invalid file, or a path outside the backup
 */
export async function readChecksums(backup: string, name = CHECKSUMS_FILE): Promise<Map<string, string>> {
  const sums = new Map<string, string>()
  const lines = createInterface({ input: createReadStream(join(backup, name)), crlfDelay: Infinity })
  for await (const line of lines) sums.set(...parseChecksum(line, backup, name))
  return sums
}

/** The same of a list in memory. @param backup for the error */
export const parseChecksums = (text: string, backup: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => parseChecksum(line, backup, CHECKSUMS_FILE)),
  )

function parseChecksum(line: string, backup: string, name: string): [path: string, sum: string] {
  const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
  if (!sum || !path || path.startsWith('/') || path.split('/').includes('..'))
    throw new MaintenanceError(`la copia ${backup} está dañada: ${name} no se entiende.`)
  return [path, sum]
}

/** The list as `sha256sum -c` reads it, sorted by path. */
export const formatChecksums = (sums: ReadonlyMap<string, string>): string =>
  [...sums.keys()]
    .toSorted()
    .map((path) => `${sums.get(path)}  ${path}\n`)
    .join('')

/** Writes the checksums and the record, the record atomically, and waits for the disk. */
export async function writeRecord(
  backup: string,
  sums: ReadonlyMap<string, string>,
  record: Omit<BackupRecord, 'sums'>,
): Promise<BackupRecord> {
  const file = join(backup, CHECKSUMS_FILE)
  const handle = await open(file, 'w', 0o600)
  try {
    let lines = ''
    for (const path of [...sums.keys()].toSorted()) {
      lines += `${sums.get(path)}  ${path}\n`
      if (lines.length > 65_536) {
        await handle.write(lines)
        lines = ''
      }
    }
    await handle.write(lines)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const complete = { ...record, sums: await hashFile(file) }
  await writeText(join(backup, RECORD_FILE), `${JSON.stringify({ format: 1, ...complete }, null, 2)}\n`)
  await syncFolder(backup)
  return complete
}

async function writeText(file: string, text: string): Promise<void> {
  const handle = await open(`${file}${UNFINISHED_SUFFIX}`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}${UNFINISHED_SUFFIX}`, file).catch(async (error: unknown) => {
    await rm(`${file}${UNFINISHED_SUFFIX}`, { force: true })
    throw error
  })
}

/** Reads every file of a backup again. @returns the paths of those that are missing or changed, sorted */
export async function findDamagedFiles(backup: string, sums: ReadonlyMap<string, string>): Promise<string[]> {
  const damaged: string[] = []
  await forEachConcurrently(sums, 4, async ([path, sum]) => {
    const actualSum = await hashFile(join(backup, path)).catch(() => null)
    if (actualSum !== sum) damaged.push(path)
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
  writeText(join(backupDir, OUTCOME_FILE), `${JSON.stringify(outcome)}\n`).catch(() => {})

/** How the last attempt ended; null when there is no valid note of it. */
export async function readOutcome(backupDir: string): Promise<BackupOutcome | null> {
  try {
    const { at, ok, text } = JSON.parse(await readFile(join(backupDir, OUTCOME_FILE), 'utf8')) as Partial<BackupOutcome>
    return typeof at === 'number' && typeof ok === 'boolean' ? { at, ok, text: String(text) } : null
  } catch {
    return null
  }
}
