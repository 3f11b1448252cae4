import { statfs } from 'node:fs/promises'
import { getEnv } from './env.ts'
import { diskFullError } from './problem.ts'

/** How long a reading of the free space counts: a second of writes adds little, and each reading occupies a thread. */
const READING_TTL_MS = 1000

let reading: { at: number; dataDir: string; freeBytes: Promise<number | null> } | undefined

/** Free bytes of the disk, at most READING_TTL_MS old; null where they cannot be read. */
export function readFreeBytes(dataDir: string): Promise<number | null> {
  const now = performance.now()
  if (!reading || reading.dataDir !== dataDir || now - reading.at >= READING_TTL_MS) {
    const freeBytes = statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    reading = { at: now, dataDir, freeBytes }
  }
  return reading.freeBytes
}

/**
 * Call it before a write that adds rows: comments, likes, reports. Deletions, edits of what is there, sign-ins and the admin's
 * decisions do not ask. A disk whose free space cannot be read counts as having some. With PostgreSQL rows need no space here.
 * @throws AppError 507 while the disk has less than MIN_FREE_MB left
 */
export async function assertDiskSpace(): Promise<void> {
  const { dataDir, databaseUrl, minFreeBytes } = getEnv()
  if (minFreeBytes === 0 || databaseUrl !== undefined) return
  const free = await readFreeBytes(dataDir)
  if (free !== null && free < minFreeBytes) throw diskFullError()
}
