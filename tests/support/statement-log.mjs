// Loaded into a test's server before its program (`NODE_OPTIONS=--import`): appends the SQL of each statement that its main thread runs to
// the file STATEMENT_LOG.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import Database from 'better-sqlite3'

const file = process.env.STATEMENT_LOG
if (file && isMainThread) {
  const db = new Database(':memory:')
  const prototype = Object.getPrototypeOf(db.prepare('SELECT 1'))
  db.close()
  for (const method of ['all', 'get', 'run', 'iterate']) {
    const run = prototype[method]
    prototype[method] = function (...values) {
      appendFileSync(file, `${JSON.stringify(this.source)}\n`)
      return run.apply(this, values)
    }
  }
}
