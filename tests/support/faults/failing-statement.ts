import Database from 'better-sqlite3'
import { type Trx as Db, toKysely } from '#db/client.ts'

export interface FailingDb {
  db: Db
  /** How many statements that write have been sent since `arm`. */
  count: () => number
  /** From now on, the `n`-th statement that writes fails once, as on a full disk; never, where `n` is 0. */
  arm: (n: number) => void
}

/** A copy of a database (`serialize`) in which one statement fails. */
export function openFailingDb(bytes: Buffer): FailingDb {
  const sqlite = new Database(bytes)
  sqlite.pragma('foreign_keys = ON')
  const prepare = sqlite.prepare.bind(sqlite)
  let [sent, failing] = [0, 0]
  const fail = () => {
    if (++sent === failing) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  sqlite.prepare = ((text: string) => {
    const statement = prepare(text)
    if (!/^\s*(insert|update|delete)/i.test(text)) return statement
    for (const method of ['all', 'run', 'iterate'] as const) {
      const run = statement[method].bind(statement) as (...values: unknown[]) => never
      Object.assign(statement, { [method]: (...values: unknown[]) => (fail(), run(...values)) })
    }
    return statement
  }) as typeof sqlite.prepare
  return {
    db: toKysely(sqlite),
    count: () => sent,
    arm(n) {
      ;[sent, failing] = [0, n]
    },
  }
}
