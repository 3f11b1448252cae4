import type { Selectable } from 'kysely'
import { type ContentKind, hasCause, type HiddenCause, mainCause, withCause, withoutCauses } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import type { BreedOpinionsTable, CommentsTable, ProfilesTable } from '#db/schema.ts'
import { discardCasesOf } from './orphaned-cases.server.ts'
import type { QuarantinedContent } from './quarantine.server.ts'

// Content that is hidden where it is (db/content.ts). Nothing moves: each verb writes the column `hidden`, and views show the rest.

interface Rows {
  comment: Selectable<CommentsTable>
  opinion: Selectable<BreedOpinionsTable>
  profile: Selectable<ProfilesTable>
}

/** The tables of a kind: a comment of a quarantined dog is in another. */
const TABLES = {
  comment: ['comments_all', 'held_comments'],
  opinion: ['breed_opinions_all'],
  profile: ['profiles_all'],
} as const satisfies Record<ContentKind, readonly string[]>
type ContentTable = (typeof TABLES)[ContentKind][number]

/** Typed as one of them: the queries below use columns that all have, or whole rows. */
const like = (table: ContentTable) => table as 'comments_all'
/** The column with the member. */
const memberOf = (kind: ContentKind) => (kind === 'profile' ? 'id' : 'user_id')

export interface ChangedContent<Kind extends ContentKind> {
  row: Rows[Kind]
  /** Its causes before: 0 where it was shown. */
  before: number
  /** Whether its dog is in quarantine: nobody sees it, whatever its causes are. */
  isWithin: boolean
}

async function changeHidden<Kind extends ContentKind>(
  trx: Trx,
  kind: Kind,
  id: string,
  hidden: ReturnType<typeof withCause>,
): Promise<ChangedContent<Kind> | undefined> {
  for (const table of TABLES[kind]) {
    const before = await trx.selectFrom(like(table)).select('hidden').where('id', '=', id).executeTakeFirst()
    if (!before) continue
    const row = await trx
      .updateTable(like(table))
      .set({ hidden })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row: row as unknown as Rows[Kind], before: before.hidden, isWithin: table === 'held_comments' }
  }
  return undefined
}

/** Hides content for one more cause. Call it in the action's transaction. @returns undefined where there is none */
export const hide = <Kind extends ContentKind>(trx: Trx, kind: Kind, id: string, cause: HiddenCause) =>
  changeHidden(trx, kind, id, withCause(cause))

/** Ends causes of hidden content, which is shown where none is left. @returns undefined where there is none */
export const show = <Kind extends ContentKind>(trx: Trx, kind: Kind, id: string, ...causes: HiddenCause[]) =>
  changeHidden(trx, kind, id, withoutCauses(...causes))

/** The ids of a member's content that has, or has not, the cause `deletion`; at most `limit`. */
export async function listOfLeaving(
  db: Db,
  kind: ContentKind,
  userId: string,
  isHidden: boolean,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const table of TABLES[kind]) {
    const rows = db
      .selectFrom(like(table))
      .select('id')
      .where(memberOf(kind), '=', userId)
      .limit(limit - ids.length)
    const found = await rows.where((eb) => (isHidden ? hasCause('deletion') : eb.not(hasCause('deletion')))).execute()
    ids.push(...found.map(({ id }) => id))
    if (ids.length === limit) break
  }
  return ids
}

/** Hidden content as the items of the review: of an id, or a member's. */
export async function listHidden(
  db: Db,
  kind: ContentKind,
  { id, userId }: { id?: string; userId?: string },
): Promise<QuarantinedContent[]> {
  const items: QuarantinedContent[] = []
  for (const table of TABLES[kind]) {
    let rows = db.selectFrom(like(table)).selectAll().where('hidden', '>', 0)
    if (id !== undefined) rows = rows.where('id', '=', id)
    if (userId !== undefined) rows = rows.where(memberOf(kind), '=', userId)
    for (const row of await rows.execute()) items.push(toItem(kind, row as unknown as Rows['profile']))
  }
  return items
}

const NO_MEMBERS_OF_DOG = { other_id: null, owner_id: null, discoverer_id: null, uploader_id: null }
const NO_ADDRESS_OF_DOG = { claim_hash: null, path_breed: null, path_slug: null, idempotency_key: null }

function toItem(kind: ContentKind, { hidden, ...row }: Partial<Rows['comment']> & Rows['profile']): QuarantinedContent {
  const { id, dog_id = null, user_id = id, created_at } = row
  const cause = mainCause(hidden) ?? 'admin'
  const item = { kind, thing_id: id, dog_id, user_id, cause, created_at, snapshot: JSON.stringify(row) }
  return { ...item, ...NO_MEMBERS_OF_DOG, ...NO_ADDRESS_OF_DOG }
}

/** Takes the cases of content that has been deleted out of the queue. Call it in the same transaction. */
export const discardCases = (trx: Trx, kind: ContentKind, ids: readonly string[]): Promise<void> =>
  discardCasesOf(
    trx,
    ids.map((thing_id) => ({ kind, thing_id })),
  )
