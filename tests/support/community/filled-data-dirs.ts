/** Filled data directories that stay between runs, in `.cache/bench`. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Trx as Db, migrate, openDatabase } from '#db/client.ts'
import { fillDemo } from '#app/demo/fill.ts'
import { fillCommunity } from './fill-community.ts'

const root = resolve(import.meta.dirname, '../../..')
/** What a filled community depends on. New migrations run on it as on any other. */
const FILL_SOURCES = [
  'tests/support/community/fill-community.ts',
  'tests/support/community/bulk-insert.ts',
  'src/app/demo/random.ts',
  'data/demo.json',
]

/** A data directory, filled by `fill` unless it was already. */
async function prepareDataDir(
  name: string,
  sources: string[],
  fill: (db: Db, dataDir: string) => unknown,
): Promise<string> {
  const sum = createHash('sha256')
  for (const source of sources) sum.update(readFileSync(join(root, source)))
  const wanted = sum.digest('hex')
  const dataDir = join(root, '.cache/bench', name)
  const stamp = join(dataDir, 'filled')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    const db = openDatabase(join(dataDir, 'perrario.db'))
    await migrate(db)
    await db.destroy()
    return dataDir
  }
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, 'perrario.db'))
  await migrate(db)
  const start = performance.now()
  await fill(db, dataDir)
  await db.destroy()
  console.log(`${name}: llenado en ${((performance.now() - start) / 1000).toFixed(0)} s (una sola vez)`)
  writeFileSync(stamp, wanted)
  return dataDir
}

/** A community of `count` dogs; a million takes minutes the first time. */
export const prepareCommunity = (count: number): Promise<string> =>
  prepareDataDir(`${count}-dogs`, FILL_SOURCES, (db) => fillCommunity(db, count))

/** The demo: 400 dogs with photos. */
export const prepareDemo = (): Promise<string> =>
  prepareDataDir('demo', FILL_SOURCES.slice(2), (db, dataDir) => fillDemo(db, dataDir, () => {}))
