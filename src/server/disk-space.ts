import { statfs } from 'node:fs/promises'
import { getEnv } from './env.ts'
import { diskFullError } from './problem.ts'

/**
 * Call it before a write that adds rows: comments, likes, reports. Deletions, edits of what is there, sign-ins and the admin's
 * decisions do not ask. A disk whose free space cannot be read counts as having some. With PostgreSQL rows need no space here.
 * @throws AppError 507 while the disk has less than MIN_FREE_MB left
 */
export async function assertDiskSpace(): Promise<void> {
  const { dataDir, databaseUrl, minFreeBytes } = getEnv()
  if (minFreeBytes === 0 || databaseUrl !== undefined) return
  const disk = await statfs(dataDir).catch(() => null)
  if (disk && disk.bavail * disk.bsize < minFreeBytes) throw diskFullError()
}
