import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { paths } from '#lib/paths.ts'
import type { PushedNotification } from './message.ts'
import { MESSAGE_TTL_MS } from './retry.ts'
import type { NoticeSettings } from './settings.ts'
import { toSettings } from './settings.server.ts'

/** The sender's ear; undefined where nothing is sent. */
let wakeSender: (() => void) | undefined

/** Who is to be told that something was queued. */
export function onQueued(wake: (() => void) | undefined): void {
  wakeSender = wake
}

/** Likes come in swarms: a device is told once of those that come within so long, ms. */
export const LIKE_GATHER_MS = 20_000

/**
 * Queues a line of the bell for every device of its member. Call it in the deed's own transaction: what is rolled back is
 * never told, and what stands is told even after a restart. A line that waits already is not queued twice.
 * @param wait how long to gather more of the same, ms
 */
export async function queuePush(
  trx: Db,
  { id, userId, wait = 0 }: { id: string; userId: string; wait?: number },
  now = Date.now(),
): Promise<void> {
  const due = now + wait
  await trx
    .insertInto('push_queue')
    .columns(['subscription_id', 'notification_id', 'due_at', 'queued_at'])
    .expression((eb) =>
      eb
        .selectFrom('push_subscriptions')
        .select(['id', sql.val(id).as('line'), sql<number>`max(${due}, rest_until)`.as('due'), sql.val(now).as('at')])
        .where('user_id', '=', userId),
    )
    .onConflict((conflict) =>
      conflict.columns(['subscription_id', 'notification_id']).doUpdateSet({
        queued_at: now,
        // What is due is on its way at this moment: this is news that comes after it.
        due_at: sql<number>`CASE WHEN push_queue.due_at <= ${now} THEN excluded.due_at ELSE push_queue.due_at END`,
      }),
    )
    .execute()
  // The sender reads over the same connection, so it waits for this transaction to end.
  wakeSender?.()
}

/** Devices that something is due for, longest first, by index push_queue_due; `limit` counts messages. */
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

/** When the next message is due, ms; undefined when none waits. */
export async function nextDueAt(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('push_queue').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at
}

export interface PushDevice {
  id: string
  endpoint: string
  keys: { p256dh: string; auth: string }
  refusals: number
  /** Its session is over. */
  isOver: boolean
  settings: NoticeSettings
}
export interface QueuedNotification {
  line: PushedNotification
  tries: number
  isHeld: boolean
  queuedAt: number
}

/** A device with what is due for it, newest first; undefined where it has gone. Lines not to be told go from the queue. */
export async function readDueJob(
  db: Db,
  id: string,
  now: number,
): Promise<{ device: PushDevice; waiting: QueuedNotification[] } | undefined> {
  const row = await db
    .selectFrom('push_subscriptions as s')
    .innerJoin('sessions as e', 'e.id', 's.session_id')
    .leftJoin('notice_settings as n', 'n.user_id', 's.user_id')
    .select(['s.id', 's.endpoint', 's.p256dh', 's.auth', 's.refusals', 'e.expires_at'])
    .select(['n.user_id', 'n.likes', 'n.comments', 'n.others', 'n.quiet_from', 'n.quiet_to', 'n.time_zone'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { endpoint, p256dh, auth, refusals } = row
  const settings = toSettings(row.user_id === null ? undefined : (row as Parameters<typeof toSettings>[0]))
  const isOver = row.expires_at * 1000 <= now
  const device = { id, endpoint, keys: { p256dh, auth }, refusals, isOver, settings }
  const lines = await db
    .selectFrom('push_queue as q')
    .innerJoin('notifications as n', 'n.id', 'q.notification_id')
    .leftJoin('dogs as d', 'd.id', 'n.dog_id')
    .select(['q.notification_id', 'q.tries', 'q.held', 'q.queued_at'])
    .select(['n.type', 'n.title', 'n.content', 'n.is_read', 'n.link'])
    .select(['d.path_breed', 'd.path_slug'])
    .where('q.subscription_id', '=', id)
    .where('q.due_at', '<=', now)
    .orderBy('n.created_at', 'desc')
    .execute()
  const wanted = { like: settings.likes, comment: settings.comments, other: settings.others }
  // What waited for the end of quiet hours may be as much older.
  const isNews = (line: (typeof lines)[number]) => now - line.queued_at < MESSAGE_TTL_MS * (line.held ? 2 : 1)
  const isTold = (line: (typeof lines)[number]) => line.is_read === 0 && wanted[line.type] && isNews(line)
  await removeFromQueue(db, id, lines.filter((line) => !isTold(line)).map(toQueueKey))
  const waiting = lines.filter(isTold).map((row) => ({
    line: {
      id: row.notification_id,
      type: row.type,
      title: row.title,
      content: row.content,
      path:
        row.link ??
        (row.path_breed && row.path_slug ? paths.dog({ path_breed: row.path_breed, path_slug: row.path_slug }) : null),
    },
    tries: row.tries,
    isHeld: row.held === 1,
    queuedAt: row.queued_at,
  }))
  return { device, waiting }
}

const toQueueKey = (row: { notification_id: string; queued_at: number }) => ({
  id: row.notification_id,
  at: row.queued_at,
})

/** Takes lines from a device's queue, but not those that changed since they were read. */
export async function removeFromQueue(
  db: Db,
  device: string,
  lines: readonly { id: string; at: number }[],
): Promise<void> {
  for (const { id, at } of lines)
    await db
      .deleteFrom('push_queue')
      .where('subscription_id', '=', device)
      .where('notification_id', '=', id)
      .where('queued_at', '=', at)
      .execute()
}

/** Puts off whatever waits for a device until `until`, at the end of quiet hours. */
export async function deferUntil(db: Db, device: string, until: number): Promise<void> {
  await db
    .updateTable('push_queue')
    .set({ due_at: until, held: 1 })
    .where('subscription_id', '=', device)
    .where('due_at', '<', until)
    .execute()
}

/** Puts off whatever waits for a device, since its service is in trouble; what was tried `most` times goes. */
export async function postpone(db: Db, device: string, until: number, most: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('push_queue')
      .set((eb) => ({ tries: eb('tries', '+', 1), due_at: until }))
      .where('subscription_id', '=', device)
      .where('due_at', '<', until)
      .execute()
    await trx.deleteFrom('push_queue').where('subscription_id', '=', device).where('tries', '>=', most).execute()
    await trx.updateTable('push_subscriptions').set({ rest_until: until }).where('id', '=', device).execute()
  })
}

export async function removeDevice(db: Db, id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

/** How often in a row its service has refused us, and until when the device is left in peace. */
export async function updateDevice(db: Db, id: string, state: { refusals: number; rest_until: number }): Promise<void> {
  await db.updateTable('push_subscriptions').set(state).where('id', '=', id).execute()
}
