import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { listProvinces, type Province, provinceNames } from '#features/places/provinces.server.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { type Followed, FOLLOWS_PAGE_SIZE, isFollowKind } from './follows.ts'

interface ListOptions {
  cursor?: string | undefined
  limit?: number
  /** Only members who follow back. */
  mutual?: boolean
}

export interface FollowedPage {
  follows: Followed[]
  nextCursor: string | null
}

/**
 * What the member follows, latest first, by index follows_list. Members out of sight are left out, and so is who follows without being
 * followed: of its followers a member sees the number alone.
 * @throws AppError 422 for a bad cursor
 */
export async function listFollows(
  db: Db,
  userId: string,
  { cursor, limit = FOLLOWS_PAGE_SIZE, mutual = false }: ListOptions = {},
): Promise<FollowedPage> {
  const rows = await followsQuery(db, userId, limit + 1, cursor, mutual).execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const { bySlug } = await getCatalogue(db)
  const provinces = provinceNames()
  const nameOf = ({ kind, target_id, alias }: (typeof rows)[number]) =>
    kind === 'member' ? alias : kind === 'breed' ? bySlug.get(target_id)?.nombre_castellano : provinces.get(target_id)
  return {
    follows: rows.slice(0, limit).map((row) => ({
      kind: row.kind,
      id: row.target_id,
      name: nameOf(row) ?? row.target_id,
      emoji: row.emoji,
      isMutual: Boolean(row.isMutual),
    })),
    nextCursor: last
      ? encodeCursor({ order: 'follows', value: last.created_at, id: `${last.kind} ${last.target_id}` })
      : null,
  }
}

/** The same for an address that may have been edited by hand. @returns null for an invalid cursor */
export const loadFollows = (db: Db, userId: string, options: ListOptions): Promise<FollowedPage | null> =>
  listFollows(db, userId, options).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

function followsQuery(db: Db, userId: string, limit: number, cursor?: string, mutual = false) {
  let rows = db
    .selectFrom('follows as f')
    .leftJoin('profiles as p', (join) => join.onRef('p.id', '=', 'f.target_id').on('f.kind', '=', 'member'))
    .select(['f.kind', 'f.target_id', 'f.created_at', 'p.alias', 'p.emoji'])
    .select(
      sql<number | boolean>`EXISTS (SELECT 1 FROM follows AS back WHERE back.user_id = f.target_id
        AND back.kind = 'member' AND back.target_id = f.user_id AND f.kind = 'member')`.as('isMutual'),
    )
    .where('f.user_id', '=', userId)
    .where((eb) => eb.or([eb('f.kind', '!=', 'member'), eb('p.id', 'is not', null)]))
  if (mutual)
    rows = rows
      .where('f.kind', '=', 'member')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('follows as other')
            .select('other.user_id')
            .whereRef('other.user_id', '=', 'f.target_id')
            .where('other.kind', '=', 'member')
            .where('other.target_id', '=', userId),
        ),
      )
  if (cursor !== undefined) {
    const { value, id } = decodeCursor(cursor, 'follows')
    const [kind = '', target = ''] = id.split(' ')
    if (!isFollowKind(kind)) throw invalid('La página pedida no existe.')
    rows = rows.where((eb) =>
      eb(eb.refTuple('f.created_at', 'f.kind', 'f.target_id'), '<', eb.tuple(value, kind, target)),
    )
  }
  return rows.orderBy('f.created_at', 'desc').orderBy('f.kind', 'desc').orderBy('f.target_id', 'desc').limit(limit)
}

const collator = new Intl.Collator('es')

/** The provinces in alphabetical order, to choose one from. */
export const provincesByName = (): Province[] => listProvinces().toSorted((a, b) => collator.compare(a.name, b.name))
