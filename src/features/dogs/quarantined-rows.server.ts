import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { deleteQuarantinedRows, MOVED_TABLES, quarantineRows, restoreRows } from '#db/quarantined-rows.ts'
import { publishDogEvent } from './dog-events.server.ts'
import { deleteDogTraces } from './empty-dog.server.ts'

/** Rows with their triggers and index entries, deleted from one table and inserted into the other. */
const ROWS_PER_BATCH = 15

/**
 * Runs `action`, which may quarantine the dog, after its lines of bells and events are deleted and its comments, likes and requests
 * are in quarantine, in batches. Where the dog is still public after it, the rows return, also where `action` throws; a crash in
 * between is repaired at the next start (`resumeRestores`).
 */
export async function withRowsInQuarantine<T>(db: Db, dogId: string, action: () => Promise<T>): Promise<T> {
  await deleteDogTraces(db, dogId)
  try {
    for (const table of MOVED_TABLES)
      await runInBatches(db, ROWS_PER_BATCH, async (trx, limit) =>
        (await isPublic(trx, dogId)) ? quarantineRows(trx, table, dogId, limit) : 0,
      )
    return await action()
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
