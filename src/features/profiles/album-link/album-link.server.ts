import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { unauthenticated } from '#lib/errors.ts'
import { findCode } from '#lib/text/typed-code.ts'
import type { AlbumLink, LinkedMember } from './album-link.ts'

/** 256 bits: nobody finds a link by trying. */
const TOKEN_BYTES = 32
const TOKEN_PATTERN = /^[\w-]{43}$/

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * Makes the member's link. An earlier one stops working: each member has one.
 * @returns its token, of which the database keeps the hash alone
 * @throws AppError 401; 403 while they are banned
 */
export async function createAlbumLink(db: Db, requester: Requester, now = Date.now()): Promise<string> {
  if (!requester) throw unauthenticated()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const link = { token_hash: hashToken(token), created_at: now }
  await transact(db, async (trx) => {
    await assertNotBanned(trx, requester.id, now)
    await trx
      .insertInto('album_links')
      .values({ user_id: requester.id, ...link })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
      .execute()
  })
  return token
}

/** Withdraws the member's link, if they have one. */
export async function withdrawAlbumLink(db: Db, userId: string): Promise<void> {
  await transact(db, (trx) => trx.deleteFrom('album_links').where('user_id', '=', userId).execute())
}

/** The member's living link; null for none. */
export async function findAlbumLink(db: Db, userId: string): Promise<AlbumLink | null> {
  const row = await db.selectFrom('album_links').select('created_at').where('user_id', '=', userId).executeTakeFirst()
  return row ?? null
}

/**
 * Whose link it is; null for one that is unknown or withdrawn, or whose member is out of sight or banned, or has a block between them and
 * the viewer.
 * @param viewerId the member who opens it; null for a visitor
 */
export async function findLinkedMember(
  db: Db,
  typed: string,
  viewerId: string | null,
  now = Date.now(),
): Promise<LinkedMember | null> {
  const token = findCode(typed, TOKEN_PATTERN)
  if (token === null) return null
  const member = await db
    .selectFrom('album_links as l')
    .innerJoin('profiles as p', 'p.id', 'l.user_id')
    .select(['p.id', 'p.alias', 'p.emoji'])
    .where('l.token_hash', '=', hashToken(token))
    .where(visibleTo(viewerId, 'years', now).of('l.user_id'))
    .executeTakeFirst()
  return member ?? null
}
