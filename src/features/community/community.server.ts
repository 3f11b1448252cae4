import type { Db } from '#db/client.ts'
import { readCursor, writeCursor } from '#lib/cursor.ts'
import { type CommunityTotals, RANKING_PAGE, type RankingPage } from './community.ts'

/** Users, likes and breeds of the community, from the kept counts: at most breeds x 6 rows are read. */
export async function communityTotals(db: Db): Promise<CommunityTotals> {
  const users = await db.selectFrom('totals').select('value').where('name', '=', 'profiles').executeTakeFirst()
  const tallies = await db
    .selectFrom('dog_tallies')
    .where('dogs', '>', 0)
    .select(({ fn }) => [
      fn.sum<number | null>('likes').as('likes'),
      fn.count<number>('breed_slug').distinct().as('breeds'),
    ])
    .executeTakeFirst()
  return { users: users?.value ?? 0, likes: tallies?.likes ?? 0, breeds: tallies?.breeds ?? 0 }
}

/** What the ranking reads: index profiles_ranking backwards, stopped at the page's end. */
export function rankingRows(db: Db, limit: number, after?: { dogs: number; likes: number; id: string }) {
  let rows = db.selectFrom('profiles').selectAll()
  if (after)
    rows = rows.where((eb) =>
      eb(eb.refTuple('dogs_count', 'likes_count', 'id'), '<', eb.tuple(after.dogs, after.likes, after.id)),
    )
  return rows.orderBy('dogs_count', 'desc').orderBy('likes_count', 'desc').orderBy('id', 'desc').limit(limit)
}

/** A page of the ranking, by dogs and then likes (spec.md §2). @throws AppError 422 for a cursor that is none of its own */
export async function ranking(db: Db, cursorText?: string, limit = RANKING_PAGE): Promise<RankingPage> {
  // The cursor's id part carries the likes and the rank as well: «likes rank id».
  const cursor = cursorText === undefined ? undefined : readCursor(cursorText, 'ranking')
  const [likes = '0', rank = '0', id = ''] = cursor?.id.split(' ') ?? []
  const after = cursor && { dogs: cursor.value, likes: Number(likes), id }
  const rows = await rankingRows(db, limit + 1, after).execute()
  const first = Number(rank) + 1
  const members = rows.slice(0, limit).map((row, index) => ({
    rank: first + index,
    id: row.id,
    alias: row.alias,
    emoji: row.emoji,
    verified: row.verified === 1,
    dogs: row.dogs_count,
    likes: row.likes_count,
    breeds: row.breeds_count,
  }))
  const last = rows.length > limit ? members.at(-1) : undefined
  const nextCursor =
    last && writeCursor({ order: 'ranking', value: last.dogs, id: `${last.likes} ${last.rank} ${last.id}` })
  return { members, nextCursor: nextCursor ?? null }
}
