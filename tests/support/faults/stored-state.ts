import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'

/** All that is stored: the rows of every table, in any order, and a digest of every photo, public or quarantined. */
export function readStoredState(db: Db, dataDir: string): Record<string, string[]> {
  const sqlite = sqliteOf(db)
  const tables = sqlite
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all() as string[]
  const rows = tables.map((table) => {
    const found = sqlite.prepare(`SELECT * FROM "${table}"`).all()
    return [table, found.map((row) => JSON.stringify(row)).toSorted()] as const
  })
  return { ...Object.fromEntries(rows), 'files of photos': listPhotos(dataDir) }
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
