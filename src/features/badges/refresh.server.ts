import { setTimeout as wait } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import type { BadgeQueueTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { challengeWeekOf } from '#features/challenges/weeks.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { notifyEarned, withdrawStaleNews } from './badge-news.server.ts'
import { decideBadges } from './decide.server.ts'
import type { BadgeState, Decided, WeekDone } from './decide.ts'

/** Members that one query of the queue reads. */
const MEMBERS_PER_PAGE = 20
/** Members that one transaction queues. */
const QUEUED_PER_BATCH = 500
/** Between two members, so that requests go first. */
const PAUSE_MS = 10

/** Decides the badges of queued members once a minute: those whose dogs have changed, then, each Monday, everybody with dogs. */
export function startBadgeRefresh(db: Db, { intervalMs = MINUTE_MS, clock = Date.now } = {}): Job {
  let week: number | null = null
  return runEvery({ intervalMs }, 'perrario · las insignias no se pudieron decidir:', async (signal) => {
    const [now, current] = [clock(), challengeWeekOf(clock())]
    const done = db.selectFrom('challenge_entries').select('week').where('week', '=', current).limit(1)
    if (week !== current && !(await done.executeTakeFirst())) await queueEverybody(db, signal)
    week = current
    await refreshQueued(db, signal, now)
  })
}

/** Queues all members with dogs, one of which may do a new week's challenge. */
const queueEverybody = (db: Db, signal?: AbortSignal): Promise<number> =>
  runInBatches(
    db,
    QUEUED_PER_BATCH,
    async (trx, limit) => {
      const { numAffectedRows } = await sql`INSERT INTO badge_queue (user_id, priority, version)
        SELECT id, 1, 1 FROM profiles
        WHERE dogs_count > 0 AND id NOT IN (SELECT user_id FROM badge_queue) LIMIT ${limit}`.execute(trx)
      return Number(numAffectedRows)
    },
    signal,
  )

/** Visits each member of the queue once. One that fails, or whose dogs change meanwhile, stays for the next round. */
export async function refreshQueued(db: Db, signal?: AbortSignal, now = Date.now()): Promise<void> {
  let after = { priority: -1, user_id: '' }
  for (;;) {
    const rows = await selectQueued(db, after).execute()
    for (const row of rows) {
      signal?.throwIfAborted()
      await refreshMember(db, row, now).catch((error: unknown) =>
        console.error(`perrario · las insignias de ${row.user_id} quedan para la próxima vuelta:`, error),
      )
      await wait(PAUSE_MS)
    }
    const last = rows.at(-1)
    if (!last || rows.length < MEMBERS_PER_PAGE) return
    after = last
  }
}

/** A page of the queue, by index badge_queue_next. */
export const selectQueued = (db: Db, after: { priority: number; user_id: string }) =>
  db
    .selectFrom('badge_queue')
    .selectAll()
    .where((eb) => eb(eb.refTuple('priority', 'user_id'), '>', eb.tuple(after.priority, after.user_id)))
    .orderBy('priority')
    .orderBy('user_id')
    .limit(MEMBERS_PER_PAGE)

async function refreshMember(db: Db, queued: Selectable<BadgeQueueTable>, now: number): Promise<void> {
  const { user_id: userId, version } = queued
  const decided = await decideBadges(db, userId, now)
  await transact(db, async (trx) => {
    const member = await trx.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
    const row = await trx.selectFrom('badge_queue').select('version').where('user_id', '=', userId).executeTakeFirst()
    if (row?.version !== version) return
    if (member) await storeDecided(trx, userId, decided, now)
    await trx.deleteFrom('badge_queue').where('user_id', '=', userId).execute()
  })
}

/** Entries that one statement inserts. */
const ENTRIES_PER_INSERT = 500

/** Writes what differs from the rows, withdraws the news of what is lost and rings the bell for what is new. Call it inside a transaction. */
async function storeDecided(trx: Trx, userId: string, decided: Decided, now: number): Promise<void> {
  const { badges, weeks } = decided
  const earnedBefore = await storeBadges(trx, userId, badges)
  const weeksBefore = await storeWeeks(trx, userId, weeks)
  const news = {
    badges: badges.filter(({ badge, dogId }) => dogId !== null && !earnedBefore.has(badge)),
    weeks: weeks.filter(({ week }) => !weeksBefore.has(week)),
  }
  await withdrawStaleNews(trx, userId, decided)
  await notifyEarned(trx, userId, news, now)
}

/** @returns the keys of the badges that were earned before */
async function storeBadges(trx: Trx, userId: string, badges: readonly BadgeState[]): Promise<Set<string>> {
  const before = await trx.selectFrom('badges').selectAll().where('user_id', '=', userId).execute()
  const rows = badges.map(({ badge, progress, dogId, earnedAt }) => ({
    user_id: userId,
    badge,
    progress,
    dog_id: dogId,
    earned_at: earnedAt,
  }))
  const { gone, added } = compareRows(before, rows)
  for (const { badge } of gone)
    await trx.deleteFrom('badges').where('user_id', '=', userId).where('badge', '=', badge).execute()
  if (added.length > 0) await trx.insertInto('badges').values(added).execute()
  return new Set(before.flatMap(({ badge, dog_id }) => (dog_id === null ? [] : [badge])))
}

/** @returns the weeks that were done before */
async function storeWeeks(trx: Trx, userId: string, weeks: readonly WeekDone[]): Promise<Set<number>> {
  const before = await trx.selectFrom('challenge_entries').selectAll().where('user_id', '=', userId).execute()
  const rows = weeks.map(({ week, dogId, joinedAt }) => ({ week, user_id: userId, dog_id: dogId, joined_at: joinedAt }))
  const { gone, added } = compareRows(before, rows)
  for (const { week } of gone)
    await trx.deleteFrom('challenge_entries').where('user_id', '=', userId).where('week', '=', week).execute()
  for (let from = 0; from < added.length; from += ENTRIES_PER_INSERT)
    await trx
      .insertInto('challenge_entries')
      .values(added.slice(from, from + ENTRIES_PER_INSERT))
      .execute()
  return new Set(before.map(({ week }) => week))
}

/** The rows that are no longer, and those that were not before: one that has changed is in both. */
function compareRows<T extends object>(before: readonly T[], rows: readonly T[]): { gone: T[]; added: T[] } {
  const keyOf = (row: T) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const [old, current] = [new Set(before.map(keyOf)), new Set(rows.map(keyOf))]
  return {
    gone: before.filter((row) => !current.has(keyOf(row))),
    added: rows.filter((row) => !old.has(keyOf(row))),
  }
}
