import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Trx as Db } from '#db/client.ts'
import { readStoredRows } from '#tests/support/rows.ts'

/** All that is stored: the rows of every table, in any order, and a digest of every photo, public or quarantined. */
export async function readStoredState(db: Db, dataDir: string): Promise<Record<string, string[]>> {
  return { ...(await readStoredRows(db)), 'files of photos': listPhotos(dataDir) }
}

const listPhotos = (dataDir: string): string[] =>
  globSync('photos/**/*', { cwd: dataDir })
    .filter((name) => statSync(join(dataDir, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(dataDir, name)))
          .digest('hex')}`,
    )
    .toSorted()
