import type { Db } from '#db/client.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { paths } from '#lib/paths.ts'
import { type Challenge, type ParticipantsPage, PARTICIPANTS_PAGE_SIZE } from './challenge.ts'
import { themeOf } from './themes.ts'
import { challengeWeekOf, weekStart } from './weeks.ts'

/** The challenge at a time; null before the first one. */
export function challengeAt(time: number): Challenge | null {
  const week = challengeWeekOf(time)
  const theme = themeOf(week)
  return theme ? { week, theme, endsAt: weekStart(week + 1) } : null
}

/** A page of who did a week's challenge, the newest first: reads index challenge_entries_list backwards and stops at the page's end. */
export const selectParticipants = (
  db: Db,
  week: number,
  limit: number,
  after: { joinedAt: number; userId: string } | null,
  viewerId?: string,
) =>
  db
    .selectFrom('challenge_entries as c')
    .innerJoin('profiles as p', 'p.id', 'c.user_id')
    .innerJoin('dogs as d', 'd.id', 'c.dog_id')
    // Who has left the dog since is in the list until the next round.
    .innerJoin('member_dogs as m', (join) =>
      join.onRef('m.user_id', '=', 'c.user_id').onRef('m.dog_id', '=', 'c.dog_id'),
    )
    .select(['p.id', 'p.alias', 'p.emoji', 'c.joined_at', 'c.dog_id', 'd.name', 'd.path_breed', 'd.path_slug'])
    .where('c.week', '=', week)
    .where(visibleTo(viewerId, 'lists').of('c.user_id'))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('c.joined_at', 'c.user_id'), '<', eb.tuple(after!.joinedAt, after!.userId))),
    )
    .orderBy('c.joined_at', 'desc')
    .orderBy('c.user_id', 'desc')
    .limit(limit)

/**
 * Who did a week's challenge. Members with a block between them and `user` are left out; hidden profiles and dogs are in no row.
 * @throws AppError 422 for an invalid cursor
 */
export async function loadParticipants(
  db: Db,
  week: number,
  {
    cursor,
    user = null,
    limit = PARTICIPANTS_PAGE_SIZE,
  }: { cursor?: string | undefined; user?: { id: string } | null; limit?: number } = {},
): Promise<ParticipantsPage> {
  const after = cursor === undefined ? null : decodeCursor(cursor, `challenge ${week}`)
  const found = await selectParticipants(
    db,
    week,
    limit + 1,
    after && { joinedAt: after.value, userId: after.id },
    user?.id,
  ).execute()
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    participants: rows.map(({ id, alias, emoji, joined_at, dog_id, name, path_breed, path_slug }) => ({
      id,
      alias,
      emoji,
      joinedAt: joined_at,
      dog: { id: dog_id, name, path: paths.dog({ path_breed, path_slug }) },
    })),
    nextCursor: last ? encodeCursor({ order: `challenge ${week}`, value: last.joined_at, id: last.id }) : null,
  }
}
