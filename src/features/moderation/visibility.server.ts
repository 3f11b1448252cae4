import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { type AppError, forbidden } from '#lib/errors.ts'

// Who sees whom (docs/product.md §19.5). No other file asks for blocks, bans or leaving accounts to decide it.

/**
 * What hides members, and what is theirs, by use: `block` a block between the two, in either direction; `leaving` an account that waits for
 * its deletion or is being erased; `ban` a ban that has not ended.
 *
 * What a leaving account has in a table of db/content.ts is hidden there. A ban silences: what was written stays. Counts and ranks are the
 * same for all readers, a dog names its people to everybody, and of a lost dog's page nothing is hidden.
 */
const USES = {
  // Texts, hearts and names, as one member reads them of another.
  comments: ['block'],
  likes: ['block'],
  opinions: ['block'],
  ownership: ['block'],
  profile: ['block'],
  /** The community's ranking, and who did a week's challenge. */
  lists: ['block'],
  feed: ['block'],
  /** A member, or a list of members, acts on what is another's, or writes to them. */
  actions: ['block'],
  search: ['block', 'ban'],
  /** An album or a year that its member's link shows, and whoever a year names. */
  years: ['block', 'leaving', 'ban'],
  /** Pictures of members, and the sitemap, without a reader. */
  pictures: ['ban'],
  /** Dogs that the site counts or announces near a member. */
  nearby: ['block', 'leaving', 'ban'],
  // Who is notified of what another did.
  news: ['block'],
  memories: ['block'],
  breedAlerts: ['block', 'leaving'],
  lostAlerts: ['block', 'leaving', 'ban'],
  /** Lost dogs that a finder is shown, and answers to their notice. */
  lostDogs: ['block', 'leaving'],
  foundNotices: ['block', 'leaving', 'ban'],
  /** Notices that are compared with a lost dog: what a banned member found waits for the end of the ban. */
  matches: ['block'],
  /** What the account's absence alone takes away: sightings, conversations, what the review would show again. */
  presence: ['leaving'],
} as const satisfies Record<string, readonly ('block' | 'leaving' | 'ban')[]>

type Use = keyof typeof USES
/** ms; only where bans count. A prepared query passes its own. */
type Now<U extends Use> = 'ban' extends (typeof USES)[U][number] ? [now: number] : [now?: undefined]
/** An id, several of whom each must see, a column of another query; nobody in particular, between whom and others there are no blocks. */
type Viewer = string | readonly string[] | RawBuilder<unknown> | null | undefined

/** By the primary keys of all four tables, and index blocks_blocked. */
function isShown(viewer: Viewer, people: RawBuilder<unknown>, use: Use, now: number | undefined): RawBuilder<SqlBool> {
  const viewers = [viewer ?? []].flat()
  const conditions = USES[use].flatMap((reason) => {
    if (reason === 'leaving')
      return ['account_deletions', 'account_erasures'].map(
        (table) => sql`NOT EXISTS (SELECT 1 FROM ${sql.table(table)} WHERE user_id IN (${people}))`,
      )
    if (reason === 'ban')
      return sql`NOT EXISTS (SELECT 1 FROM bans WHERE user_id IN (${people}) AND (until IS NULL OR until > ${now}))`
    if (viewers.length === 0) return []
    return [
      sql`NOT EXISTS (SELECT 1 FROM blocks WHERE user_id IN (${sql.join(viewers)}) AND blocked_id IN (${people}))`,
      sql`NOT EXISTS (SELECT 1 FROM blocks WHERE blocked_id IN (${sql.join(viewers)}) AND user_id IN (${people}))`,
    ]
  })
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`
}

/**
 * Condition of another query: nothing hides the members of its columns, named with their tables (`c.user_id`), from the viewer. Null is
 * nobody, who is not hidden.
 */
export const visibleTo = <U extends Use>(viewer: Viewer, use: U, ...[now]: Now<U>) => ({
  of: (...columns: readonly string[]): RawBuilder<SqlBool> =>
    isShown(viewer, sql.join(columns.map((column) => sql.ref(column))), use, now),
})

/** Whether nothing hides one of `people` from the viewer. Null ids are nobody's. */
export async function isVisibleTo<U extends Use>(
  db: Db,
  viewer: string | null,
  people: readonly (string | null)[],
  use: U,
  ...[now]: Now<U>
): Promise<boolean> {
  const ids = people.filter((id) => id !== null)
  if (ids.length === 0) return true
  const { rows } = await sql`SELECT 1 WHERE ${isShown(viewer, sql.join(ids), use, now)}`.execute(db)
  return rows.length > 0
}

export const blockedError = (): AppError => forbidden('No puedes hacerlo: uno de los dos ha bloqueado al otro.')

/** Call it before an action on a dog: no block may exist between `userId` and the dog's people. @throws AppError 403 */
export async function assertNotBlocked(db: Db, userId: string, people: readonly (string | null)[]): Promise<void> {
  if (!(await isVisibleTo(db, userId, people, 'actions'))) throw blockedError()
}

const selectBlocked = (db: Db, userId: string) =>
  db
    .selectFrom('blocks')
    .select('blocked_id as id')
    .where('user_id', '=', userId)
    .union(db.selectFrom('blocks').select('user_id as id').where('blocked_id', '=', userId))

const selectBlockedIds = prepareQuery((db, { userId }: { userId: string }) => selectBlocked(db, userId))

/** Ids of everyone the member blocked or was blocked by: for what is made for all readers at once, and leaves out names afterwards. */
export async function findBlockedIds(db: Db, userId: string | null): Promise<ReadonlySet<string>> {
  return new Set(userId === null ? [] : (await selectBlockedIds(db, { userId })).map(({ id }) => id))
}

/** Ids of everyone whom `nearby` hides from the member, as a subquery: by indexes, and by tables that are small. */
export const selectHiddenNearby = (db: Db, userId: string, now: number) =>
  selectBlocked(db, userId)
    .union(
      db
        .selectFrom('bans')
        .select('user_id as id')
        .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)])),
    )
    .union(db.selectFrom('account_deletions').select('user_id as id'))
    .union(db.selectFrom('account_erasures').select('user_id as id'))
