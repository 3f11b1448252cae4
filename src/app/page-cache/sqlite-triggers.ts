import type { Sqlite } from '#db/client.ts'
import { type HoloThreshold, listTriggers, sqlCalls } from './invalidation.ts'

/**
 * Calls `invalidate` with the cache tags of every changed row, whichever writer of this connection changed it. The call comes
 * when the row changes: before the commit, and also for a transaction that is rolled back. That is early enough, because a
 * page's queries wait for the transaction (one connection serves one caller at a time). The triggers are temporary: they
 * belong to this connection, not to the file.
 * @returns a function that tells whether another process (npm run admin) has written since its last call; which rows is unknown
 */
export function installInvalidationTriggers(
  sqlite: Sqlite,
  invalidate: (tag: string) => void,
  holo: HoloThreshold,
): () => boolean {
  sqlite.function('perrario_changed', (tag: unknown) => {
    if (tag !== null) invalidate(String(tag))
    return null
  })
  const columns = (sqlite.pragma('table_info(dogs)') as { name: string }[]).map(({ name }) => name)
  listTriggers(columns, holo).forEach(([event, condition, invalidations], i) =>
    sqlite.exec(
      `CREATE TEMP TRIGGER perrario_invalidate_${i} AFTER ${event.replace(' ON ', ' ON main.')} WHEN ${condition}
        BEGIN ${invalidations.map((each) => `SELECT ${sqlCalls(each)};`).join(' ')} END`,
    ),
  )
  const version = sqlite.prepare('PRAGMA data_version').pluck()
  let lastVersion = version.get()
  return () => {
    const previous = lastVersion
    lastVersion = version.get()
    return lastVersion !== previous
  }
}
