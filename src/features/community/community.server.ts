import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { readListMark } from '#db/list-mark.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { ProfilesTable } from '#db/schema.ts'
import { findBlockedIds } from '#features/moderation/visibility.server.ts'
import { countProfiles } from '#features/profiles/profiles.server.ts'
import { decodeCursor, encodeCursor, listMark } from '#lib/cursor.ts'
import { invalid } from '#lib/errors.ts'
import { type CommunityTotals, RANKING_PAGE_SIZE, type RankedMember, type RankingPage } from './community.ts'

const selectTallies = prepareQuery((db) =>
  db
    .selectFrom('dog_tallies')
    .where('dogs', '>', 0)
    .select(({ fn }) => [
      fn.sum<number | null>('likes').as('likes'),
      fn.count<number>('breed_slug').distinct().as('breeds'),
    ]),
)

/** Counts users, likes and breeds from the counter tables: reads at most breeds x 6 rows. */
export async function loadCommunityTotals(db: Db): Promise<CommunityTotals> {
  const [sums] = await selectTallies(db, {})
  return { users: await countProfiles(db), likes: sums?.likes ?? 0, breeds: sums?.breeds ?? 0 }
}

/** A page of profiles by rank: reads index profiles_ranking backwards and stops at the page's end. */
export const selectRanking = (db: Db, limit: number, after?: RankingPosition) =>
  selectRankingKeys(db, limit, '<', after).selectAll()

/** The same without columns. @param side the rows after the position, or those up to it */
function selectRankingKeys(db: Db, limit: number, side: '<' | '>=', at?: RankingPosition) {
  let rows = db.selectFrom('profiles')
  if (at)
    rows = rows.where((eb) =>
      eb(eb.refTuple('dogs_count', 'likes_count', 'id'), side, eb.tuple(at.dogs, at.likes, at.id)),
    )
  return rows.orderBy('dogs_count', 'desc').orderBy('likes_count', 'desc').orderBy('id', 'desc').limit(limit)
}

interface RankingPosition {
  dogs: number
  likes: number
  id: string
}

const selectRankingPage = prepareQuery((db, { limit, ...after }: Partial<RankingPosition> & { limit: number }) =>
  selectRanking(db, limit, after.id === undefined ? undefined : (after as RankingPosition)),
)

interface RankingCounts {
  dogs_count: number
  likes_count: number
}

/**
 * Members ranked before these counts, and members tied at them, in one statement. Sums the ranking's counter tables by their primary keys: the
 * rows read grow with the distinct counts above, not with the members.
 */
const selectRankedBefore = prepareQuery((db, { dogs, likes }: { dogs: number; likes: number }) =>
  db.selectNoFrom((q) => [
    q
      .selectFrom('ranking_dogs')
      .select(({ fn }) => fn.sum<number | null>('members').as('members'))
      .where('dogs', '>', dogs)
      .as('withMoreDogs'),
    q
      .selectFrom('ranking_likes')
      .select(({ fn }) => fn.sum<number | null>('members').as('members'))
      .where('dogs', '=', dogs)
      .where('likes', '>', likes)
      .as('withMoreLikes'),
    q.selectFrom('ranking_likes').select('members').where('dogs', '=', dogs).where('likes', '=', likes).as('tied'),
  ]),
)

async function countRankedBefore(db: Db, counts: RankingCounts): Promise<{ before: number; tied: number }> {
  const [found] = await selectRankedBefore(db, { dogs: counts.dogs_count, likes: counts.likes_count })
  return { before: (found?.withMoreDogs ?? 0) + (found?.withMoreLikes ?? 0), tied: found?.tied ?? 1 }
}

/**
 * A page of the ranking, by dogs and then likes (docs/product.md §8.1). Members with a block
 * between them and `user` are left out; the others keep their rank.
 * @throws AppError 422 for an invalid cursor
 */
export async function loadRanking(
  db: Db,
  cursorText?: string,
  { limit = RANKING_PAGE_SIZE, user = null }: { limit?: number; user?: { id: string } | null } = {},
): Promise<RankingPage> {
  const blockedIds = await findBlockedIds(db, user?.id ?? null)
  const cursor = parseRankingCursor(cursorText)
  const at = cursor && { dogs: cursor.dogs, likes: cursor.likes, id: cursor.id }
  const found = await selectRankingPage(db, { limit: limit + 1, ...at })
  const readBefore = (count: number) => selectRankingKeys(db, count, '>=', at).select('id')
  const before = at ? await readListMark(db, readBefore) : 0
  const rows = found.slice(0, limit)
  const members: RankedMember[] = []
  const [first] = rows
  if (first) {
    // Only members tied with the first row may also be on an earlier page; the rank of the others is their position.
    const { before: above, tied } = await countRankedBefore(db, first)
    const tiedHere = rows.filter((row) => isTied(row, first)).length
    for (const [i, row] of rows.entries()) {
      const position = i < tiedHere ? above + 1 : above + tied + 1 + (i - tiedHere)
      const [rowAbove, memberAbove] = [rows[i - 1], members[i - 1]]
      const rank = rowAbove && memberAbove && isTied(row, rowAbove) ? memberAbove.rank : position
      members.push(toRankedMember(row, rank))
    }
  }
  const last = found.length > limit ? rows.at(-1) : undefined
  const mark = before === undefined ? undefined : before + listMark(rows.map(({ id }) => id))
  const nextCursor =
    last && encodeCursor({ order: 'ranking', value: last.dogs_count, id: `${last.likes_count} ${last.id}`, mark })
  const isReordered = cursor?.mark !== undefined && before !== undefined && before !== cursor.mark
  return { members: members.filter(({ id }) => !blockedIds.has(id)), nextCursor: nextCursor ?? null, isReordered }
}

/** Parses a cursor, whose id part is «likes id». @throws AppError 422 */
function parseRankingCursor(text: string | undefined) {
  if (text === undefined) return undefined
  const cursor = decodeCursor(text, 'ranking')
  const [likes = '', id = ''] = cursor.id.split(' ')
  if (!/^\d+$/.test(likes)) throw invalid('La página pedida no existe.')
  return { dogs: cursor.value, likes: Number(likes), id, mark: cursor.mark }
}

const isTied = (a: RankingCounts, b: RankingCounts) => a.dogs_count === b.dogs_count && a.likes_count === b.likes_count

const toRankedMember = (row: Selectable<ProfilesTable>, rank: number): RankedMember => ({
  rank,
  id: row.id,
  alias: row.alias,
  emoji: row.emoji,
  verified: row.verified === 1,
  dogs: row.dogs_count,
  likes: row.likes_count,
  breeds: row.breeds_count,
})

/** The member's own row of the ranking, with its rank; null without a profile. */
export async function findOwnRank(db: Db, userId: string): Promise<RankedMember | null> {
  const row = await db.selectFrom('profiles').selectAll().where('id', '=', userId).executeTakeFirst()
  return row ? toRankedMember(row, (await countRankedBefore(db, row)).before + 1) : null
}

/** The member's rank and the number of members, for the percentile; null without a profile. */
export async function loadMemberRank(db: Db, userId: string): Promise<{ rank: number; members: number } | null> {
  const own = await findOwnRank(db, userId)
  return own && { rank: own.rank, members: await countProfiles(db) }
}
