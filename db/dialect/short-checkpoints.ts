import { sql } from 'kysely'
import type { Db } from '../client.ts'
import { dialectOf } from './dialect.ts'

/** Pages of the WAL after which SQLite copies them into the file, within the commit that exceeds it: 2 MB, which takes some 10 ms. */
export const CHECKPOINT_PAGES = 500
/** 1 MB: some 5 ms. */
const SHORT_CHECKPOINT_PAGES = 250

/** Works that want short checkpoints now; the process has one connection to SQLite. */
let running = 0

const setCheckpointPages = (db: Db, pages: number) => sql`PRAGMA wal_autocheckpoint = ${sql.lit(pages)}`.execute(db)

/**
 * Runs work of thousands of small writes with short checkpoints. They are more work in all, because a page that changes often is copied
 * into the file more often, but none holds up the event loop for long.
 */
export async function withShortCheckpoints<T>(db: Db, work: () => Promise<T>): Promise<T> {
  if (dialectOf(db) !== 'sqlite') return work()
  if (running++ === 0) await setCheckpointPages(db, SHORT_CHECKPOINT_PAGES)
  try {
    return await work()
  } finally {
    if (--running === 0) await setCheckpointPages(db, CHECKPOINT_PAGES)
  }
}
