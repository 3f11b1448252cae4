import type { Trx } from '#db/client.ts'
import { challengePaths } from '#features/challenges/challenge-paths.ts'
import { themeOf } from '#features/challenges/themes.ts'
import { titleOf } from '#features/notifications/kinds.ts'
import { deleteNotifications, notify } from '#features/notifications/notify.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { badgeOf } from './badge-list.ts'
import type { BadgeState, Decided, WeekDone } from './decide.ts'

/** The bell shows what a dog earned that was added since then: not of dogs from before, which may come back into sight. */
const NEWS_MAX_AGE_MS = 2 * DAY_MS

const weekName = ({ week }: WeekDone): string => `Reto de la semana: ${themeOf(week)?.title}`
const badgeName = ({ badge }: BadgeState): string => badgeOf(badge)?.title ?? badge

/** Rings the bell once for everything that a round earned, without a push message. Call it inside a transaction. */
export async function notifyEarned(trx: Trx, userId: string, { badges, weeks }: Decided, now: number): Promise<void> {
  const earned = [
    ...weeks.map((done) => ({ dogId: done.dogId, at: done.joinedAt, name: weekName(done) })),
    ...badges.map((state) => ({ dogId: state.dogId, at: state.earnedAt, name: badgeName(state) })),
  ]
  const news = earned.filter(({ at }) => at !== null && at > now - NEWS_MAX_AGE_MS)
  const last = news.at(-1)
  if (!last?.dogId) return
  await notify(
    trx,
    'badge',
    { userId, dogId: last.dogId, names: news.map(({ name }) => name), link: challengePaths.badges },
    now,
  )
}

/**
 * Deletes the news that are true no more: of a dog that earns nothing now, or naming what the member has not. They are found by themselves,
 * since the rows of a lost badge may be gone already (trigger badges_dog_regrouped). Call it inside a transaction.
 */
export async function withdrawStaleNews(trx: Trx, userId: string, { badges, weeks }: Decided): Promise<void> {
  const earned = badges.filter(({ dogId }) => dogId !== null)
  const dogs = new Set<string | null>([...earned, ...weeks].map(({ dogId }) => dogId))
  const names = new Set([...earned.map(badgeName), ...weeks.map(weekName)])
  const news = await trx
    .selectFrom('notifications')
    .select(['dog_id', 'content'])
    .where('user_id', '=', userId)
    .where('title', '=', titleOf('badge'))
    .execute()
  for (const { dog_id: dogId, content } of news) {
    const isTrue = dogs.has(dogId) && [...content.matchAll(/«([^«»]*)»/g)].every(([, name = '']) => names.has(name))
    if (dogId !== null && !isTrue) await deleteNotifications(trx, 'badge', { userId, dogId })
  }
}
