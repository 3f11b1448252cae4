import type { Db } from '#db/client.ts'
import { toDogs } from '#features/dogs/dog.server.ts'
import type { DogList } from '#features/dogs/dogs.ts'
import { readFeed } from '#features/follows/feed.server.ts'
import { AppError } from '#lib/errors.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { DEFAULT_PAGE_SIZE } from './dog-query.ts'

const ORDER = 'following'

/** A page of the dogs of what the member follows, newest first. @throws AppError 422 for a bad cursor */
export async function dogsFollowedBy(
  db: Db,
  userId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<DogList> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, ORDER)
  const feed = await readFeed(db, userId, limit + 1, after)
  const page = feed.slice(0, limit)
  const rows =
    page.length === 0
      ? []
      : await db
          .selectFrom('dogs')
          .selectAll()
          .where(
            'id',
            'in',
            page.map(({ id }) => id),
          )
          .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const last = feed.length > limit ? page.at(-1) : undefined
  return {
    dogs: await toDogs(
      db,
      page.flatMap(({ id }) => byId.get(id) ?? []),
    ),
    nextCursor: last ? encodeCursor({ order: ORDER, value: last.created_at, id: last.id }) : null,
  }
}

/** The same for an address that may have been edited by hand. @returns null for an invalid cursor */
export const loadFollowing = (db: Db, userId: string, cursor: string | undefined): Promise<DogList | null> =>
  dogsFollowedBy(db, userId, { cursor }).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
