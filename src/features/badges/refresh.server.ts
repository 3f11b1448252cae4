import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { challengeWeekOf, weekStart } from '#features/challenges/weeks.ts'
import { enqueue, isCurrent } from '#features/outbox/jobs.server.ts'
import type { ActingTopic, WritingTopic } from '#features/outbox/outbox.server.ts'
import { notifyEarned, withdrawStaleNews } from './badge-news.server.ts'
import { decideBadges } from './decide.server.ts'
import type { BadgeState, Decided, WeekDone } from './decide.ts'
import { BADGES_TOPIC } from './member-badges.server.ts'

/** Members that one transaction enqueues. */
const MEMBERS_PER_BATCH = 500

/** Decides the badges of a member, by id. Triggers on dogs enqueue it. What changes meanwhile is decided again. */
export const badges: ActingTopic = {
  name: BADGES_TOPIC,
  failure: 'las insignias no se pudieron decidir',
  async run(db: Db, job, { now }) {
    const decided = await decideBadges(db, job.key, now)
    await transact(db, async (trx) => {
      if (await isCurrent(trx, job)) await storeDecided(trx, job.key, decided, now)
    })
    return 'done'
  },
}

/** Each Monday all members with dogs are decided, one of which may do the new week's challenge. The cursor is the last of them. */
export const badgeWeeks: WritingTopic = {
  name: 'badge-weeks',
  failure: 'las insignias de la semana no se pudieron decidir',
  isForever: true,
  async step(trx, { cursor }, now) {
    const members = trx.selectFrom('profiles').select('id').where('dogs_count', '>', 0).where('id', '>', cursor)
    const ids = (await members.orderBy('id').limit(MEMBERS_PER_BATCH).execute()).map(({ id }) => id)
    const jobs = ids.map((id) => ({ key: id, userId: id }))
    await enqueue(trx, BADGES_TOPIC, jobs, now)
    return ids.length === 0 ? { cursor: '', at: weekStart(challengeWeekOf(now) + 1) } : { cursor: ids.at(-1)! }
  },
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
