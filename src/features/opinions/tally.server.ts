import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { prepareQuery } from '#db/prepared.ts'
import { type Catalogue, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { type Cursor, decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { paths } from '#lib/paths.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import {
  type BreedCount,
  type BreedOpinion,
  MAX_OPINIONS,
  OPINIONS_PAGE_SIZE,
  type OpinionSummary,
  SHOWN_BREEDS,
  SHOWN_REASONS,
} from './opinions.ts'

const ORDER = 'opinions'

interface PublicDog {
  id: string
  owner_id: string | null
  discoverer_id: string | null
}

const breedName = (catalogue: Catalogue, slug: string): string => catalogue.bySlug.get(slug)?.nombre_castellano ?? slug

const selectOpenRequest = prepareQuery((db, { dogId }: { dogId: string }) =>
  db.selectFrom('opinion_requests').select('asked_at').where('dog_id', '=', dogId).where('closed_at', 'is', null),
)

/** Whether the dog's people ask for opinions. One without people has nobody who would decide. */
export const isAsked = async (db: Db, dog: PublicDog): Promise<boolean> =>
  (dog.owner_id ?? dog.discoverer_id) !== null && (await selectOpenRequest(db, { dogId: dog.id })).length > 0

/** How many opinions the dog has, hidden ones included: at most `MAX_OPINIONS`. By index breed_opinions_tally. */
export async function countOpinions(db: Db, dogId: string): Promise<number> {
  return countRows(db.selectFrom('breed_opinions_all').where('dog_id', '=', dogId))
}

/** The breeds that members name, those that most name first; a tie by name. By index breed_opinions_tally alone. */
export async function readTally(db: Db, dogId: string): Promise<BreedCount[]> {
  const rows = await db
    .selectFrom('breed_opinions')
    .select((eb) => ['breed_slug as slug', eb.fn.countAll<number>().as('opinions')])
    .where('dog_id', '=', dogId)
    .groupBy('breed_slug')
    .limit(MAX_OPINIONS)
    .execute()
  const catalogue = await getCatalogue(db)
  return rows
    .map(({ slug, opinions }) => ({ slug, name: breedName(catalogue, slug), opinions }))
    .toSorted((a, b) => b.opinions - a.opinions || a.name.localeCompare(b.name, 'es'))
}

/** How many members think what. */
export async function readAgreement(db: Db, dogId: string): Promise<{ opinions: number; breeds: BreedCount[] }> {
  const breeds = await readTally(db, dogId)
  return { opinions: breeds.reduce((sum, { opinions }) => sum + opinions, 0), breeds }
}

/** The address of the dog's page; undefined where it is in no list. */
export async function findDogPath(db: Db, dogId: string): Promise<string | undefined> {
  const row = await db.selectFrom('dogs').select(['path_breed', 'path_slug']).where('id', '=', dogId).executeTakeFirst()
  return row && paths.dog(row)
}

interface OpinionsQuery {
  limit: number
  from?: Cursor | undefined
  user: Requester
  /** Only opinions with a reason. */
  isReasoned?: boolean
}

/** A dog's opinions, newest first, by index breed_opinions_newest. Those of members with a block with the reader are left out. */
async function selectOpinions(
  db: Db,
  dogId: string,
  { limit, from, user, isReasoned = false }: OpinionsQuery,
): Promise<BreedOpinion[]> {
  let rows = db
    .selectFrom('breed_opinions as o')
    .leftJoin('profiles as p', 'p.id', 'o.user_id')
    .select(['o.id', 'o.user_id', 'o.breed_slug', 'o.reason', 'o.created_at', 'p.alias', 'p.emoji'])
    .where('o.dog_id', '=', dogId)
    .where(visibleTo(user?.id, 'opinions').of('o.user_id'))
  if (isReasoned) rows = rows.where('o.reason', '!=', '')
  if (from) rows = rows.where((eb) => eb(eb.refTuple('o.created_at', 'o.id'), '<', eb.tuple(from.value, from.id)))
  const found = await rows.orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').limit(limit).execute()
  const catalogue = await getCatalogue(db)
  return found.map(({ breed_slug: slug, alias, emoji, ...row }) => ({
    ...row,
    slug,
    breed: breedName(catalogue, slug),
    alias: alias ?? FALLBACK_ALIAS,
    emoji: emoji ?? FALLBACK_EMOJI,
  }))
}

/** A page of a dog's opinions. @throws AppError 422 for a bad cursor */
export async function listOpinions(
  db: Db,
  dogId: string,
  { cursor, user = null }: { cursor?: string | undefined; user?: Requester } = {},
): Promise<{ opinions: BreedOpinion[]; nextCursor: string | null }> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor, ORDER)
  const rows = await selectOpinions(db, dogId, { limit: OPINIONS_PAGE_SIZE + 1, from, user })
  const opinions = rows.slice(0, OPINIONS_PAGE_SIZE)
  const last = rows.length > OPINIONS_PAGE_SIZE ? opinions.at(-1) : undefined
  return { opinions, nextCursor: last ? encodeCursor({ order: ORDER, value: last.created_at, id: last.id }) : null }
}

/** What the member thinks; null where they have not said. */
export async function findOwnOpinion(
  db: Db,
  dogId: string,
  user: Requester,
): Promise<{ breed: string; reason: string } | null> {
  if (!user) return null
  const row = await db
    .selectFrom('breed_opinions')
    .select(['breed_slug', 'reason'])
    .where('dog_id', '=', dogId)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return row ? { breed: breedName(await getCatalogue(db), row.breed_slug), reason: row.reason } : null
}

/**
 * What the dog's page shows of the question; null where it shows nothing. The counts are the same for everybody. Reasons of members with a
 * block with the reader are left out.
 */
export async function summariseOpinions(db: Db, dog: PublicDog, user: Requester): Promise<OpinionSummary | null> {
  const isOpen = await isAsked(db, dog)
  const isDecider = user !== null && (dog.owner_id ?? dog.discoverer_id) === user.id
  if (!isOpen) return isDecider ? { isOpen, isDecider, total: 0, breeds: [], reasons: [] } : null
  const { opinions: total, breeds } = await readAgreement(db, dog.id)
  const reasons = total > 0 ? await selectOpinions(db, dog.id, { limit: SHOWN_REASONS, user, isReasoned: true }) : []
  return {
    isOpen,
    isDecider,
    total,
    breeds: breeds.slice(0, SHOWN_BREEDS),
    reasons,
  }
}
