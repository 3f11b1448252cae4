import type { Selectable } from 'kysely'
import {
  CONTENT,
  type ContentKind,
  hasCause,
  type HiddenCause,
  mainCause,
  withCause,
  withoutCauses,
} from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import type {
  BreedOpinionsTable,
  CommentsTable,
  DogImagesTable,
  DogsTable,
  FoundNoticesTable,
  ProfilesTable,
  SightingsTable,
  TargetKind,
} from '#db/schema.ts'
import { discardCasesOf } from './orphaned-cases.server.ts'

// Content that is hidden where it is (db/content.ts). Nothing moves: each verb writes the column `hidden`, and views show the rest.

export interface ContentRows {
  dog: Selectable<DogsTable>
  photo: Selectable<DogImagesTable>
  comment: Selectable<CommentsTable>
  opinion: Selectable<BreedOpinionsTable>
  profile: Selectable<ProfilesTable>
  sighting: Selectable<SightingsTable>
  found: Selectable<FoundNoticesTable>
}

/** Content that may be reported, whatever its state. */
export type ContentItem = { [Kind in TargetKind]: { kind: Kind; id: string; row: ContentRows[Kind] } }[TargetKind]
/** The same, hidden. */
export type HiddenItem = ContentItem & { cause: HiddenCause }

/** Typed as one of them: the queries below use columns that all have, or whole rows. */
const like = (kind: ContentKind) => CONTENT[kind].table as 'comments_all'
const keyOf = (kind: ContentKind) => CONTENT[kind].key as 'id'

export interface ChangedContent<Kind extends ContentKind> {
  row: ContentRows[Kind]
  /** Its causes before: 0 where it was shown. */
  before: number
}

async function changeHidden<Kind extends ContentKind>(
  trx: Trx,
  kind: Kind,
  id: string,
  hidden: ReturnType<typeof withCause>,
): Promise<ChangedContent<Kind> | undefined> {
  const before = await trx.selectFrom(like(kind)).select('hidden').where(keyOf(kind), '=', id).executeTakeFirst()
  if (!before) return undefined
  const row = await trx
    .updateTable(like(kind))
    .set({ hidden })
    .where(keyOf(kind), '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row: row as unknown as ContentRows[Kind], before: before.hidden }
}

/** Hides content for one more cause. Call it in the action's transaction. @returns undefined where there is none */
export const hide = <Kind extends ContentKind>(trx: Trx, kind: Kind, id: string, cause: HiddenCause) =>
  changeHidden(trx, kind, id, withCause(cause))

/** Ends causes of hidden content, which is shown where none is left. @returns undefined where there is none */
export const show = <Kind extends ContentKind>(trx: Trx, kind: Kind, id: string, ...causes: HiddenCause[]) =>
  changeHidden(trx, kind, id, withoutCauses(...causes))

/** The causes that the review ends. */
export const REVIEWED = ['words', 'reports', 'admin'] as const satisfies readonly HiddenCause[]

/** Content by its id, a photo's url, shown or hidden: after the rights have been checked. */
export async function findContent<Kind extends ContentKind>(
  db: Db,
  kind: Kind,
  id: string,
): Promise<ContentRows[Kind] | undefined> {
  const row = await db.selectFrom(like(kind)).selectAll().where(keyOf(kind), '=', id).executeTakeFirst()
  return row as unknown as ContentRows[Kind] | undefined
}

/** The same where it is hidden. */
export async function findHidden(db: Db, kind: TargetKind, id: string): Promise<HiddenItem | undefined> {
  const row = await findContent(db, kind, id)
  const cause = row && mainCause(row.hidden)
  return cause && ({ kind, id, row, cause } as HiddenItem)
}

/** The ids of a member's content that has, or has not, the cause `deletion`; at most `limit`. */
export async function listOfLeaving(
  db: Db,
  kind: 'comment' | 'opinion' | 'profile',
  userId: string,
  isHidden: boolean,
  limit: number,
): Promise<string[]> {
  const rows = db
    .selectFrom(like(kind))
    .select('id')
    .where(kind === 'profile' ? 'id' : 'user_id', '=', userId)
    .where((eb) => (isHidden ? hasCause('deletion') : eb.not(hasCause('deletion'))))
    .limit(limit)
  return (await rows.execute()).map(({ id }) => id)
}

/** Takes the cases of content that has been deleted out of the queue. Call it in the same transaction. */
export const discardCases = (trx: Trx, kind: TargetKind, ids: readonly string[]): Promise<void> =>
  discardCasesOf(
    trx,
    ids.map((thing_id) => ({ kind, thing_id })),
  )
