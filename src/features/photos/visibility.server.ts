import { statSync } from 'node:fs'
import { join } from 'node:path'
import { photoKey } from './files.server.ts'

/**
 * Whether the photo of that name is public now: neither removed nor quarantined. Synchronous on purpose: stat takes microseconds, and
 * the detour over the thread pool as long as the rest of an answer.
 */
export function isPhotoPublic(dataDir: string, name: string): boolean | Promise<boolean> {
  try {
    return (statSync(join(dataDir, photoKey(name)), { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch {
    return false
  }
}
