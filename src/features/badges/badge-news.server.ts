import type { Db } from '#db/client.ts'
import { challengePaths } from '#features/challenges/challenge-paths.ts'
import { themeOf } from '#features/challenges/themes.ts'
import { deleteNotificationsTitled, notify } from '#features/notifications/notifications.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { badgeOf } from './badge-list.ts'
import type { Decided } from './decide.ts'

const NEWS_TITLE = 'Insignia nueva'
/** The bell tells of what a dog earned that was added since then: not of dogs from before, which may come back into sight. */
const NEWS_MAX_AGE_MS = 2 * DAY_MS

const inList = new Intl.ListFormat('es')

/** Rings the bell once for everything that a round earned, without a push message. Call it inside a transaction. */
export async function notifyEarned(trx: Db, userId: string, { badges, weeks }: Decided, now: number): Promise<void> {
  const earned = [
    ...weeks.map(({ week, dogId, joinedAt: at }) => ({
      dogId,
      at,
      name: `Reto de la semana: ${themeOf(week)?.title}`,
    })),
    ...badges.map(({ badge, dogId, earnedAt: at }) => ({ dogId, at, name: badgeOf(badge)?.title ?? badge })),
  ]
  const news = earned.filter(({ at }) => at !== null && at > now - NEWS_MAX_AGE_MS)
  const last = news.at(-1)
  if (!last?.dogId) return
  const names = inList.format(news.map(({ name }) => `«${name}»`))
  const content = news.length === 1 ? `Has ganado ${names}.` : `Has ganado ${news.length} insignias: ${names}.`
  await withdrawNews(trx, userId, [last.dogId])
  await notify(
    trx,
    {
      userId,
      type: 'other',
      title: NEWS_TITLE,
      content,
      dogId: last.dogId,
      link: challengePaths.badges,
      isPushed: false,
    },
    now,
  )
}

/** Deletes what the bell told of badges by these dogs. */
export async function withdrawNews(trx: Db, userId: string, dogIds: readonly string[]): Promise<void> {
  for (const dogId of new Set(dogIds)) await deleteNotificationsTitled(trx, { userId, dogId, title: NEWS_TITLE })
}
