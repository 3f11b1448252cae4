import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { backupTime, CareError } from './care.ts'
import { hashFile, ifAbsent, inParallel, syncFolder } from './files.server.ts'
import type { Holdings } from './snapshot.server.ts'

/** The database's file in a backup, gzipped. */
export const PACKED = 'perrario.db.gz'
/** Path and sha256 of every file of a backup, as `sha256sum -c` reads it. */
export const SUMS = 'SHA256SUMS'
const RECORD = 'backup.json'
/** Ends the name of a backup under way: never taken for one. */
export const PART = '.part'
const LAST = 'last.json'

export interface BackupRecord extends Holdings {
  created_at: number
  /** Of the unpacked database. */
  database: { bytes: number; sha256: string }
  /** Files in the backup, the database among them, and what they weigh together. */
  files: number
  bytes: number
  /** What this backup needed that the one before had not. */
  added: { files: number; bytes: number }
  /** Photos that rows name and that were not on the disk. */
  missing: string[]
  /** sha256 of SHA256SUMS. */
  sums: string
}

const count = z.number().check(z.gte(0))
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const schema = z.object({
  format: z.literal(1),
  created_at: z.number(),
  rows: z.record(z.string(), count),
  migrations: z.array(z.string()),
  database: z.object({ bytes: count, sha256: hash }),
  files: count,
  bytes: count,
  added: z.object({ files: count, bytes: count }),
  missing: z.array(z.string()),
  sums: hash,
})

/** Every backup in the folder, oldest first, by name. */
export async function listBackups(backupDir: string): Promise<string[]> {
  const entries = await readdir(backupDir, { withFileTypes: true }).catch(ifAbsent([]))
  return entries
    .filter((entry) => entry.isDirectory() && backupTime(entry.name) !== null)
    .map((entry) => entry.name)
    .toSorted()
}

/** What a backup says of itself. @throws CareError for one without a record that can be read */
export async function readRecord(backup: string): Promise<BackupRecord> {
  const text = await readFile(join(backup, RECORD), 'utf8').catch(ifAbsent(null))
  if (text === null) throw new CareError(`en ${backup} no hay ninguna copia (falta ${RECORD}).`)
  try {
    const { success, data } = schema.safeParse(JSON.parse(text))
    if (success) return data
  } catch {
    // Told below.
  }
  throw new CareError(`la copia ${backup} está dañada: ${RECORD} no se entiende.`)
}

/** Path and sha256 of each file. Paths that lead out of the backup are no paths. @throws CareError */
export async function readSums(backup: string): Promise<Map<string, string>> {
  const sums = new Map<string, string>()
  const lines = createInterface({ input: createReadStream(join(backup, SUMS)), crlfDelay: Infinity })
  for await (const line of lines) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (!sum || !path || path.startsWith('/') || path.split('/').includes('..'))
      throw new CareError(`la copia ${backup} está dañada: ${SUMS} no se entiende.`)
    sums.set(path, sum)
  }
  return sums
}

/** Writes both records, whole or not at all, and waits for the disk. */
export async function writeRecord(
  backup: string,
  sums: ReadonlyMap<string, string>,
  record: Omit<BackupRecord, 'sums'>,
): Promise<BackupRecord> {
  const file = join(backup, SUMS)
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
  const whole = { ...record, sums: await hashFile(file) }
  await writeText(join(backup, RECORD), `${JSON.stringify({ format: 1, ...whole }, null, 2)}\n`)
  await syncFolder(backup)
  return whole
}

async function writeText(file: string, text: string): Promise<void> {
  const handle = await open(`${file}${PART}`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}${PART}`, file).catch(async (error: unknown) => {
    await rm(`${file}${PART}`, { force: true })
    throw error
  })
}

/** Reads every file of a backup again. @returns the paths that are gone or changed */
export async function damagedFiles(backup: string, sums: ReadonlyMap<string, string>): Promise<string[]> {
  const damaged: string[] = []
  await inParallel(sums, 4, async ([path, sum]) => {
    const found = await hashFile(join(backup, path)).catch(() => null)
    if (found !== sum) damaged.push(path)
  })
  return damaged.toSorted()
}

/** How the last attempt ended. */
export interface Outcome {
  at: number
  ok: boolean
  text: string
}

/** Notes how an attempt ended, for the doctor; where that cannot be written, the log alone knows. */
export const writeOutcome = (backupDir: string, outcome: Outcome): Promise<void> =>
  writeText(join(backupDir, LAST), `${JSON.stringify(outcome)}\n`).catch(() => {})

/** How the last attempt ended; null when none was noted. */
export async function readOutcome(backupDir: string): Promise<Outcome | null> {
  try {
    const { at, ok, text } = JSON.parse(await readFile(join(backupDir, LAST), 'utf8')) as Partial<Outcome>
    return typeof at === 'number' && typeof ok === 'boolean' ? { at, ok, text: String(text) } : null
  } catch {
    return null
  }
}
