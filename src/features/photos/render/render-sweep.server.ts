import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { deleteRenders } from '#features/photos/files.server.ts'
import { findNonPublicPhotos } from '#features/photos/visibility.server.ts'

/**
 * Deletes the renders of photos that no public dog has: another machine that deletes or hides one clears its own cache only. None of them is
 * served meanwhile.
 * @returns of how many photos
 */
export async function sweepRenders(db: Db, dataDir: string): Promise<number> {
  const names = await readdir(join(dataDir, 'cache', 'photos')).catch((): string[] => [])
  const hidden = await findNonPublicPhotos(db, names)
  for (const name of hidden) await deleteRenders(dataDir, name)
  return hidden.length
}
