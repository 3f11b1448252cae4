import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { paths } from '#lib/paths.ts'
import { fillInNames } from '#lib/text/names.ts'
import { DAY_MS } from '#lib/time.ts'
import type { NotificationEvent } from './live.ts'

// The stream reads notifications as well, and `live` is below every feature: names are filled in here for both.

/** A notification as it is shown. */
export type NotificationView = NonNullable<NotificationEvent['notification']>

/**
 * Selects notifications (`n`) with what `toNotificationView` needs: their dog, and the profile of the member they name, which is
 * `named_id`, or else `actor_id`.
 */
export const selectNotificationViews = (db: Db) =>
  db
    .selectFrom('notifications as n')
    .leftJoin('dogs as d', 'd.id', 'n.dog_id')
    .leftJoin('profiles as p', (join) => join.on('p.id', '=', sql<string>`coalesce(n.named_id, n.actor_id)`))
    .select(['n.id', 'n.type', 'n.title', 'n.content', 'n.dog_id', 'n.is_read', 'n.created_at', 'n.link', 'n.topic'])
    .select(['n.times', 'n.is_urgent'])
    .select(['d.name as dog_name', 'd.path_breed', 'd.path_slug', 'd.photo_url', 'p.alias'])

type Row = Awaited<ReturnType<ReturnType<typeof selectNotificationViews>['execute']>>[number]

/** How long a notification of the account's security or a lost dog comes first, ms. */
export const URGENT_MS = 7 * DAY_MS

/** A notification with today's names and address. */
export const toNotificationView = ({
  link,
  topic,
  dog_name,
  photo_url,
  path_breed,
  path_slug,
  alias,
  ...row
}: Row): NotificationView => ({
  id: row.id,
  type: row.type,
  title: row.title,
  content: fillInNames(row.content, { alias, dog: dog_name }) + (row.times > 1 ? ` (${row.times} veces)` : ''),
  dog_id: row.dog_id,
  is_read: row.is_read === 1,
  created_at: row.created_at,
  path: link ?? (path_breed && path_slug ? paths.dog({ path_breed, path_slug }) : null),
  ...(photo_url && { photo: photo_url }),
  ...(topic && { topic }),
  ...(row.is_urgent === 1 && row.created_at > Date.now() - URGENT_MS && { urgent: true as const }),
})
