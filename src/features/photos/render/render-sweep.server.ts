import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { deleteRenders } from '#features/photos/files.server.ts'
import { findNonPublicPhotos } from '#features/photos/visibility.server.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS } from '#lib/time.ts'

const INTERVAL_MS = 10 * MINUTE_MS

/** Deletes the renders of photos that no public dog has. @returns of how many photos */
export async function sweepRenders(db: Db, dataDir: string): Promise<number> {
  const names = await readdir(join(dataDir, 'cache', 'photos')).catch((): string[] => [])
  const hidden = await findNonPublicPhotos(db, names)
  for (const name of hidden) await deleteRenders(dataDir, name)
  return hidden.length
}

/**
 * Deletes renders of photos that are hidden, or that another machine deleted: it cleared its own cache only. None of them is served
 * meanwhile. Now and then every ten minutes.
 */
export const startRenderSweep = (db: Db, dataDir: string, { intervalMs = INTERVAL_MS } = {}): Job =>
  runEvery(
    { intervalMs, delayMs: 0 },
    'perrario · las reducciones de fotos borradas se borran en la próxima vuelta:',
    async () => {
      await sweepRenders(db, dataDir)
    },
  )
