import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { countStatements } from '#db/statement-count.ts'

/** What the database did in the longest stretch in which nothing else in the process could run. */
export interface LongestTurn {
  statements: number
  /** Inserted, updated and deleted rows, with those of triggers and foreign keys. */
  rows: number
}

/** Runs `action` and counts what it does between two turns of the event loop, at most. Counts do not depend on the machine. */
export async function measureLongestTurn(db: Db, action: () => Promise<unknown>): Promise<LongestTurn> {
  const changes = sqliteOf(db).prepare('SELECT total_changes()').pluck()
  const read = () => ({ statements: countStatements(), rows: changes.get() as number })
  const longest: LongestTurn = { statements: 0, rows: 0 }
  let last = read()
  const look = () => {
    const now = read()
    longest.statements = Math.max(longest.statements, now.statements - last.statements)
    longest.rows = Math.max(longest.rows, now.rows - last.rows)
    last = now
  }
  const state = { isDone: false }
  const running = action().finally(() => (state.isDone = true))
  while (!state.isDone) {
    await nextTurn()
    look()
  }
  await running
  look()
  return longest
}
