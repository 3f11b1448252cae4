import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import { greatest, jsonRows } from '#db/dialect/expressions.ts'
import { afterCommit, transact } from '#db/transact.ts'

/** Wakes the sender at a time, ms; undefined where nothing is sent. */
let wakeSender: ((dueAt: number) => void) | undefined

/** Sets the function that `queuePush` calls with the time when something may be due, ms; undefined for none. */
export function onQueued(wake: ((dueAt: number) => void) | undefined): void {
  wakeSender = wake
}

/** Likes within this time are pushed together, because they come in bursts, ms. */
export const LIKE_GATHER_MS = 20_000

/** How a notification is pushed. */
export interface PushOptions {
  /** Whether it is sent in quiet hours, too. */
  breaksQuiet?: boolean
  /** The path of a picture that is shown with it. */
  image?: string | null
}

/** A notification that is queued for all devices of its member. */
export interface NewQueued {
  id: string
  user_id: string
  /** When it is sent, ms. */
  due_at: number
  queued_at: number
  /** Whether it is sent in quiet hours, too. */
  breaks_quiet: 0 | 1
  /** The path of a picture that is shown with it. */
  image: string | null
}

const QUEUED_COLUMNS = {
  id: 'text',
  user_id: 'text',
  due_at: 'integer',
  queued_at: 'integer',
  breaks_quiet: 'integer',
  image: 'text',
} as const

/** Queues notifications, JSON of NewQueued[], each once. */
const insertQueued = prepareWrite((trx, { queued }: { queued: string }) =>
  trx
    .insertInto('push_queue')
    .columns(['subscription_id', 'notification_id', 'due_at', 'queued_at', 'breaks_quiet', 'image'])
    .expression(
      trx
        .selectFrom(jsonRows<NewQueued>(trx, queued, QUEUED_COLUMNS).as('given'))
        .innerJoin('push_subscriptions as s', 's.user_id', 'given.user_id')
        .select([
          's.id',
          'given.id as notification',
          greatest(trx, sql.ref('given.due_at'), sql.ref('s.rest_until')).as('due'),
          'given.queued_at',
          'given.breaks_quiet',
          'given.image',
        ])
        // SQLite takes ON CONFLICT for a part of the join without it.
        .where(sql<SqlBool>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(['subscription_id', 'notification_id']).doUpdateSet(({ ref }) => ({
        queued_at: ref('excluded.queued_at'),
        // A notification that is due may be being sent now, so this change is sent after it.
        due_at: sql<number>`CASE WHEN push_queue.due_at <= excluded.queued_at THEN excluded.due_at ELSE push_queue.due_at END`,
      })),
    ),
)

/** `queuePush` for several notifications, each once. */
export async function queuePushes(trx: Trx, queued: readonly NewQueued[]): Promise<void> {
  if (queued.length === 0) return
  await insertQueued(trx, { queued: JSON.stringify(queued) })
  const wake = wakeSender
  if (wake) afterCommit(trx, () => wake(Math.min(...queued.map(({ due_at }) => due_at))))
}

/**
 * Queues a notification for all devices of its member. Call it in the action's own transaction (transactional outbox): what
 * rolls back is never sent, and what commits is sent even after a restart. A notification is queued once per device.
 * @param delayMs how long to wait for more of the same
 */
export async function queuePush(
  trx: Trx,
  {
    id,
    userId,
    delayMs = 0,
    breaksQuiet = false,
    image = null,
  }: { id: string; userId: string; delayMs?: number } & PushOptions,
  now = Date.now(),
): Promise<void> {
  const breaks_quiet = breaksQuiet ? 1 : 0
  await queuePushes(trx, [{ id, user_id: userId, due_at: now + delayMs, queued_at: now, breaks_quiet, image }])
}

/** The devices with due notifications, the longest due first, by index push_queue_due; `limit` counts notifications. */
export async function listDueDevices(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('push_queue')
    .select('subscription_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return [...new Set(rows.map((row) => row.subscription_id))]
}

/** When the next notification is due, ms; undefined when none is queued. */
export async function nextDueAt(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('push_queue').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at
}

const selectQueueLength = prepareQuery((db) =>
  db.selectFrom('push_queue').select((eb) => eb.fn.countAll<number>().as('messages')),
)

/** The messages in the queue, due or not. */
export const countQueuedMessages = async (db: Db): Promise<number> => (await selectQueueLength(db, {}))[0]!.messages

const deleteQueued = prepareWrite((trx, { device, id, at }: { device: string; id: string; at: number }) =>
  trx
    .deleteFrom('push_queue')
    .where('subscription_id', '=', device)
    .where('notification_id', '=', id)
    .where('queued_at', '=', at),
)

/** Removes notifications from a device's queue, except those that changed since they were read (`at`, ms). */
export async function removeFromQueue(
  db: Db,
  device: string,
  notifications: readonly { id: string; at: number }[],
): Promise<void> {
  await transact(db, async (trx) => {
    for (const { id, at } of notifications) await deleteQueued(trx, { device, id, at })
  })
}

/** Defers a device's queue to the end of quiet hours, `until` (ms), but for what breaks them. */
export async function deferUntil(db: Db, device: string, until: number): Promise<void> {
  await transact(db, (trx) =>
    trx
      .updateTable('push_queue')
      .set({ due_at: until, held: 1 })
      .where('subscription_id', '=', device)
      .where('breaks_quiet', '=', 0)
      .where('due_at', '<', until)
      .execute(),
  )
}

/** Postpones a device's queue after a failure of its push service; what was tried `maxTries` times is removed. */
export async function postpone(db: Db, device: string, until: number, maxTries: number): Promise<void> {
  await transact(db, async (trx) => {
    await trx
      .updateTable('push_queue')
      .set((eb) => ({ tries: eb('tries', '+', 1), due_at: until }))
      .where('subscription_id', '=', device)
      .where('due_at', '<', until)
      .execute()
    await trx.deleteFrom('push_queue').where('subscription_id', '=', device).where('tries', '>=', maxTries).execute()
    await trx.updateTable('push_subscriptions').set({ rest_until: until }).where('id', '=', device).execute()
  })
}

export async function removeDevice(db: Db, id: string): Promise<void> {
  await transact(db, (trx) => trx.deleteFrom('push_subscriptions').where('id', '=', id).execute())
}

const updateState = prepareWrite((trx, { id, ...state }: { id: string; refusals: number; rest_until: number }) =>
  trx.updateTable('push_subscriptions').set(state).where('id', '=', id),
)

/** Stores how often in a row the push service has refused messages, and until when none are sent (ms). */
export async function updateDevice(db: Db, id: string, state: { refusals: number; rest_until: number }): Promise<void> {
  await transact(db, (trx) => updateState(trx, { id, ...state }))
}
