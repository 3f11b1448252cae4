import { LRUCache } from 'lru-cache'
import type { Sqlite } from '#db/client.ts'

/** The rows that others see a moment later, and their writer at once. */
const WRITES = {
  'INSERT ON main.dog_likes': 'new.user_id',
  'DELETE ON main.dog_likes': 'old.user_id',
  'INSERT ON main.comments': 'new.user_id',
}
/** Members whose last write is remembered. It matters while a stale page may be sent (STALE_MAX_MS, member-page.ts). */
const WRITES_MAX = 50_000

/** When each member last wrote something that others see a moment later. */
export class MemberWrites {
  readonly #times = new LRUCache<string, number>({ max: WRITES_MAX })

  /** performance.now(); -Infinity for long ago. */
  lastOf = (userId: string): number => this.#times.get(userId) ?? -Infinity

  /** Notes whatever this connection writes: before the commit, which is early enough, since a read of the same connection waits for it. */
  watch(sqlite: Sqlite): void {
    sqlite.function('perrario_written', (userId: unknown) => {
      if (userId !== null) this.#times.set(String(userId), performance.now())
      return null
    })
    Object.entries(WRITES).forEach(([event, member], index) =>
      sqlite.exec(
        `CREATE TEMP TRIGGER perrario_written_${index} AFTER ${event} BEGIN SELECT perrario_written(${member}); END`,
      ),
    )
  }
}
