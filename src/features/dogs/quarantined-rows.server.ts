import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { isDogPublic } from '#db/public-dogs.ts'
import { withDogRows } from '#db/dog-rows-lock.ts'
import { dryRun } from '#db/dry-run.ts'
import { deleteQuarantinedRows, MOVED_TABLES, quarantineRows, restoreRows } from '#db/quarantined-rows.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { findQuarantined } from '#features/moderation/quarantine.server.ts'
import { deleteHiddenDogEvents, listHiddenDogsWithEvents } from '#features/live/event-history.server.ts'
import {
  attachNotifications,
  deleteDetachedNotifications,
  detachNotifications,
} from '#features/notifications/detached-notifications.server.ts'
import { publishDogEvent } from './dog-events.server.ts'

/** Rows with their triggers and index entries, deleted from one table and inserted into the other. */
const ROWS_PER_BATCH = 15
/** Each deletion is published to its bell, with five statements. */
const NOTIFICATIONS_PER_BATCH = 20
/** Events, which are only deleted. */
const EVENTS_PER_BATCH = 25

export interface QuarantineOptions {
  /** The transaction will be rolled back: `quarantineDog` leaves other members' rows where they are. */
  isDryRun?: boolean
}

/**
 * Runs `action`, which may quarantine the dog, in a transaction. A dry run comes first: what it refuses, and what does not quarantine
 * the dog after all, touches no row of another member. Before the real run the dog's comments, likes and requests move to
 * quarantine and notifications about it are detached, in batches. Where it is quarantined, those notifications and its events are deleted
 * afterwards; where it is still public, also because `action` throws, everything returns. A crash in between is repaired at the
 * next start (`resumeRestores`). Waits for earlier moves of the dog's rows.
 * @param action runs twice
 * @throws also where the lock of the dog's rows is lost before `action` has run
 */
export async function withRowsInQuarantine<T>(
  db: Db,
  dogId: string,
  action: (trx: Trx, options: QuarantineOptions) => Promise<T>,
): Promise<T> {
  const lock: { lost?: AbortSignal } = {}
  try {
    return await withDogRows(db, dogId, (lost) => moveAndRun(db, dogId, action, (lock.lost = lost)))
  } finally {
    // Another node may have moved the rows meanwhile, in either direction.
    if (lock.lost?.aborted)
      await runLogged(dogId, () => withDogRows(db, dogId, (lost) => restoreOrDeleteRows(db, dogId, lost)))
  }
}

async function moveAndRun<T>(
  db: Db,
  dogId: string,
  action: (trx: Trx, options: QuarantineOptions) => Promise<T>,
  lost: AbortSignal,
): Promise<T> {
  const isQuarantining = await dryRun(db, async (trx) => {
    await action(trx, { isDryRun: true })
    return (await findQuarantined(trx, 'dog', dogId)) !== undefined
  })
  const run = () => transact(db, (trx) => action(trx, {}))
  if (!isQuarantining) return run()
  try {
    for (const table of MOVED_TABLES)
      await runInBatches(
        db,
        ROWS_PER_BATCH,
        async (trx, limit) => ((await isDogPublic(trx, dogId)) ? quarantineRows(trx, table, dogId, limit) : 0),
        lost,
      )
    await runInBatches(
      db,
      NOTIFICATIONS_PER_BATCH,
      async (trx, limit) => ((await isDogPublic(trx, dogId)) ? detachNotifications(trx, dogId, limit) : 0),
      lost,
    )
    lost.throwIfAborted()
    return await run()
  } finally {
    // Where the lock is lost, that follows with the next one (`withRowsInQuarantine`).
    if (!lost.aborted)
      await restoreOrDeleteRows(db, dogId, lost).catch((error: unknown) => {
        if (!lost.aborted) throw error
      })
  }
}

/** Moves the rows of a public dog back, and deletes the traces of a hidden one. @throws where `lost` stops it */
async function restoreOrDeleteRows(db: Db, dogId: string, lost: AbortSignal): Promise<void> {
  if (await isDogPublic(db, dogId)) return void (await returnRows(db, dogId, lost))
  // The dog is hidden, whatever fails now.
  await deleteDogTraces(db, dogId, lost).catch((error: unknown) => {
    lost.throwIfAborted()
    console.error('perrario · avisos y eventos que se borran en el próximo arranque:', dogId, error)
  })
}

/** @returns a signal that is aborted with either */
const eitherOf = (lost: AbortSignal, signal: AbortSignal | undefined): AbortSignal =>
  signal ? AbortSignal.any([signal, lost]) : lost

/** Deletes the detached notifications and the events of a dog that is no longer public, in batches. */
async function deleteDogTraces(db: Db, dogId: string, signal: AbortSignal): Promise<void> {
  await runInBatches(
    db,
    NOTIFICATIONS_PER_BATCH,
    (trx, limit) => deleteDetachedNotifications(trx, dogId, limit),
    signal,
  )
  await runInBatches(db, EVENTS_PER_BATCH, (trx, limit) => deleteHiddenDogEvents(trx, dogId, limit), signal)
}

/**
 * Moves the comments, likes and requests of a public dog back from quarantine, in batches. Nobody is notified again. A dog with an
 * owner gets no requests back: a new owner answers them all.
 * @throws also where the lock of the dog's rows is lost: the next start continues (`resumeRestores`)
 */
export async function restoreRowsOfDog(db: Db, dogId: string, signal?: AbortSignal): Promise<void> {
  const moved = await withDogRows(db, dogId, (lost) => returnRows(db, dogId, eitherOf(lost, signal)))
  if (moved === 0) return
  await transact(db, async (trx) => {
    if (await isDogPublic(trx, dogId)) await publishDogEvent(trx, 'changed', dogId)
  })
}

/** The same, and the notifications, without publishing an event. @returns how many rows came back */
async function returnRows(db: Db, dogId: string, signal: AbortSignal): Promise<number> {
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
        afterCommit(trx, () => (moved += count))
        return count
      },
      signal,
    )
  await runInBatches(
    db,
    NOTIFICATIONS_PER_BATCH,
    async (trx, limit) => ((await isDogPublic(trx, dogId)) ? attachNotifications(trx, dogId, limit) : 0),
    signal,
  )
  return moved
}

/**
 * Continues what a crash or a restart has interrupted: rows of public dogs leave quarantine, notifications and events of others are
 * deleted.
 */
export async function resumeRestores(db: Db, signal?: AbortSignal): Promise<void> {
  const dogs = await db
    .selectFrom('dogs')
    .select('id')
    .where((eb) =>
      eb.or(
        (['held_comments', 'held_likes', 'held_requests', 'detached_lines'] as const).map((table) =>
          eb('id', 'in', eb.selectFrom(table).select('dog_id')),
        ),
      ),
    )
    .execute()
  for (const { id } of dogs) await runLogged(id, () => restoreRowsOfDog(db, id, signal), signal)
  const detached = await db.selectFrom('detached_lines').select('dog_id').distinct().execute()
  const left = [...detached.map(({ dog_id }) => dog_id), ...(await listHiddenDogsWithEvents(db))]
  for (const id of new Set(left))
    await runLogged(
      id,
      () => withDogRows(db, id, (lost) => deleteTracesIfHidden(db, id, eitherOf(lost, signal))),
      signal,
    )
}

const deleteTracesIfHidden = async (db: Db, dogId: string, signal: AbortSignal): Promise<void> => {
  if (!(await isDogPublic(db, dogId))) await deleteDogTraces(db, dogId, signal)
}

/** One dog that fails is logged, and the others follow. */
async function runLogged(dogId: string, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  try {
    await work()
  } catch (error) {
    signal?.throwIfAborted()
    console.error('perrario · filas de un perro que se recuperan en el próximo arranque:', dogId, error)
  }
}
