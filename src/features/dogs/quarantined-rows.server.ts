import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { dryRun } from '#db/dry-run.ts'
import { deleteQuarantinedRows, MOVED_TABLES, quarantineRows, restoreRows } from '#db/quarantined-rows.ts'
import { findQuarantined } from '#features/moderation/quarantine.server.ts'
import { publishDogEvent } from './dog-events.server.ts'
import { deleteDogTraces } from './empty-dog.server.ts'

/** Rows with their triggers and index entries, deleted from one table and inserted into the other. */
const ROWS_PER_BATCH = 15

export interface QuarantineOptions {
  /** The transaction will be rolled back: `quarantineDog` leaves other members' rows where they are. */
  isDryRun?: boolean
}

/**
 * Runs `action`, which may quarantine the dog, in a transaction. A dry run comes first: what it refuses, and what does not quarantine
 * the dog after all, touches no row of another member. Before the real run the dog's comments, likes and requests move to
 * quarantine and its lines of bells and events are deleted, in batches. Where the dog is still public after it, the rows return; a crash
 * in between is repaired at the next start (`resumeRestores`).
 * @param action runs twice
 */
export async function withRowsInQuarantine<T>(
  db: Db,
  dogId: string,
  action: (trx: Db, options: QuarantineOptions) => Promise<T>,
): Promise<T> {
  const isQuarantining = await dryRun(db, async (trx) => {
    await action(trx, { isDryRun: true })
    return (await findQuarantined(trx, 'dog', dogId)) !== undefined
  })
  const run = () => db.transaction().execute((trx) => action(trx, {}))
  if (!isQuarantining) return run()
  try {
    for (const table of MOVED_TABLES)
      await runInBatches(db, ROWS_PER_BATCH, async (trx, limit) =>
        (await isPublic(trx, dogId)) ? quarantineRows(trx, table, dogId, limit) : 0,
      )
    await deleteDogTraces(db, dogId)
    return await run()
  } finally {
    await restoreRowsOfDog(db, dogId)
  }
}

const isPublic = async (db: Db, dogId: string): Promise<boolean> =>
  (await db.selectFrom('dogs').select('id').where('id', '=', dogId).executeTakeFirst()) !== undefined

/**
 * Moves the comments, likes and requests of a public dog back from quarantine, in batches. Nobody is notified again. A dog with an
 * owner gets no requests back: a new owner answers them all.
 */
export async function restoreRowsOfDog(db: Db, dogId: string, signal?: AbortSignal): Promise<void> {
  let moved = 0
  for (const table of MOVED_TABLES)
    await runInBatches(
      db,
      ROWS_PER_BATCH,
      async (trx, limit) => {
        const dog = await trx.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
        if (!dog) return 0
        if (table === 'ownership_requests' && dog.owner_id !== null)
          return deleteQuarantinedRows(trx, table, { dogId }, limit)
        const count = await restoreRows(trx, table, dogId, limit)
        moved += count
        return count
      },
      signal,
    )
  if (moved === 0) return
  await db.transaction().execute(async (trx) => {
    if (await isPublic(trx, dogId)) await publishDogEvent(trx, 'changed', dogId)
  })
}

/** Goes on with the moves that a crash or a restart has interrupted: the rows of public dogs leave quarantine. */
export async function resumeRestores(db: Db, signal?: AbortSignal): Promise<void> {
  const dogs = await db
    .selectFrom('dogs')
    .select('id')
    .where((eb) =>
      eb.or(
        (['held_comments', 'held_likes', 'held_requests'] as const).map((table) =>
          eb('id', 'in', eb.selectFrom(table as 'held_comments').select('dog_id')),
        ),
      ),
    )
    .execute()
  for (const { id } of dogs) await restoreRowsOfDog(db, id, signal)
}

export interface RestoreJob {
  close: () => Promise<void>
}

/** Resumes interrupted moves once, beside the requests. What fails is logged and tried again at the next start. */
export function openRestoreJob(db: Db): RestoreJob {
  const stop = new AbortController()
  const running = resumeRestores(db, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) console.error('Comments and likes to restore at the next start:', error)
  })
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}
