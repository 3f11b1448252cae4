import Database from 'better-sqlite3'
import { join } from 'node:path'

let sqlite
const statements = new Map()

/** Opened by the first request, with the settings of ours (db/client.ts); the build has no database. */
function open() {
  sqlite = new Database(join(process.env.DATA_DIR, 'perrario.db'), { readonly: true })
  for (const setting of ['busy_timeout = 5000', 'temp_store = MEMORY', 'mmap_size = 67108864', 'cache_size = -32000'])
    sqlite.pragma(setting)
  return sqlite
}

/** A statement, compiled once: what ours keeps ready, too. */
export function sql(text) {
  let statement = statements.get(text)
  if (!statement) statements.set(text, (statement = (sqlite ?? open()).prepare(text)))
  return statement
}
