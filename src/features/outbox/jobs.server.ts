import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { afterCommit } from '#db/transact.ts'

/** What is still to be done about one thing. */
export interface Job {
  topic: string
  /** What it is about; a topic has one job of each key. */
  key: string
  payload: unknown
  /** Where a job of many steps is; empty at its beginning. */
  cursor: string
  /** When it is due, ms; while it is in hand, when it is due again if nobody says how it ended. */
  runAt: number
  queuedAt: number
  tries: number
  /** Counts how often it was enqueued. */
  version: number
}

export interface NewJob {
  key: string
  /** The member who is notified or whom it is about: it is deleted with the account. */
  userId?: string | null
  /** JSON. Ids of other members do not belong here: nobody would delete them. */
  payload?: unknown
  /** ms; at once by default. */
  runAt?: number
}

/** Wakes the loop for a topic; undefined where this process runs none. */
let wakeLoop: ((topic: string) => void) | undefined

/** Sets the function that `enqueue` calls after the commit; undefined for none. */
export function onEnqueued(wake: typeof wakeLoop): void {
  wakeLoop = wake
}

/**
 * Adds jobs in the action's own transaction: what rolls back is never done, and what commits is done even after a restart. One that is there
 * already begins again, with the new payload.
 */
export async function enqueue(trx: Trx, topic: string, jobs: readonly NewJob[], now = Date.now()): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map(({ key, userId = null, payload = null, runAt = now }) => ({
    topic,
    key,
    user_id: userId,
    payload: JSON.stringify(payload),
    run_at: runAt,
    queued_at: now,
  }))
  await trx
    .insertInto('jobs')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['topic', 'key']).doUpdateSet(({ ref }) => ({
        payload: ref('excluded.payload'),
        run_at: sql<number>`CASE WHEN jobs.run_at < excluded.run_at THEN jobs.run_at ELSE excluded.run_at END`,
        queued_at: ref('excluded.queued_at'),
        cursor: '',
        version: sql<number>`jobs.version + 1`,
      })),
    )
    .execute()
  const wake = wakeLoop
  if (wake && jobs.some(({ runAt = now }) => runAt <= now)) afterCommit(trx, () => wake(topic))
}

/** Takes a job back. */
export const dequeue = (trx: Trx, topic: string, key: string): Promise<unknown> =>
  trx.deleteFrom('jobs').where('topic', '=', topic).where('key', '=', key).execute()

/** Whether the topic has a job of this key. */
export const isQueued = async (db: Db, topic: string, key: string): Promise<boolean> =>
  (await selectJob(db, topic).where('key', '=', key).executeTakeFirst()) !== undefined

const selectJob = (db: Db, topic: string) =>
  db
    .selectFrom('jobs')
    .select(['topic', 'key', 'payload', 'cursor', 'run_at', 'queued_at', 'tries', 'version'])
    .where('topic', '=', topic)

/** The job of a topic that is due longest, by the index jobs_due. */
export const selectDue = prepareQuery((db, { topic, now, keys }: { topic: string; now: number; keys: string }) =>
  selectJob(db, topic).where('run_at', '<=', now).where('key', 'like', keys).orderBy('run_at').orderBy('key').limit(1),
)

/** @param keysFrom how its key begins */
export async function readDueJob(db: Db, topic: string, now: number, keysFrom = ''): Promise<Job | undefined> {
  const [row] = await selectDue(db, { topic, now, keys: `${keysFrom}%` })
  return row && { ...row, payload: JSON.parse(row.payload), runAt: row.run_at, queuedAt: row.queued_at }
}

/** Whether the job waits as it was read: it may have been taken back, enqueued again, claimed or advanced by another process meanwhile. */
export async function isCurrent(trx: Trx, { topic, key, version, cursor, runAt }: Job): Promise<boolean> {
  const row = await selectJob(trx, topic).where('key', '=', key).executeTakeFirst()
  return row?.version === version && row.cursor === cursor && row.run_at === runAt
}

/** Removes a job that is done. One that was enqueued again meanwhile is due at once. */
export async function finishJob(trx: Trx, { topic, key, version }: Job, now: number): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('jobs')
    .where('topic', '=', topic)
    .where('key', '=', key)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return
  const again = trx.updateTable('jobs').set({ run_at: now, tries: 0 })
  await again.where('topic', '=', topic).where('key', '=', key).execute()
}

/** Changes a job that waits as it was read. @returns false where it does not */
export async function updateJob(
  trx: Trx,
  { topic, key, version }: Job,
  changes: { run_at?: number; tries?: number; cursor?: string; error?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    .set(changes)
    .where('topic', '=', topic)
    .where('key', '=', key)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
