import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { PART_SUFFIX, makeFolder } from '#features/storage/files.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'

/** As much as a small photo. */
const PROBE_BYTES = 64 * 1024

/**
 * Writes a file where photos are stored, or else renders, and a page of an SQLite database, whose content stays the same.
 * @throws what the disk answers
 */
export async function probeDisk(db: Db, dataDir: string): Promise<void> {
  const folder = join(dataDir, photoStore(dataDir).isRemote ? 'cache' : 'photos')
  const file = join(folder, `disk-probe${PART_SUFFIX}`)
  await makeFolder(folder)
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES, 1), { flush: true })
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
  if (isSharedByNodes(db)) return
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  await sql`pragma user_version = ${sql.lit(rows[0]?.user_version ?? 0)}`.execute(db)
}
