import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'

/** The most rows of a table that go while nothing else in the process can run. @throws where `action` leaves any */
export async function longestDeletion(db: Db, table: keyof Schema, action: Promise<unknown>): Promise<number> {
  const count = sqliteOf(db).prepare(`SELECT count(*) FROM ${table}`).pluck()
  const state = { isDone: false }
  const running = action.finally(() => (state.isDone = true))
  let [longest, left] = [0, count.get() as number]
  while (!state.isDone) {
    await nextTurn()
    const now = count.get() as number
    ;[longest, left] = [Math.max(longest, left - now), now]
  }
  await running
  if (left > 0) throw new Error(`${left} rows of ${table} are left`)
  return longest
}
