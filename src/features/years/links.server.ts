import { randomBytes } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { hashSecret } from '#features/auth/token-hashes.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { findCode } from '#lib/text/typed-code.ts'

// A link is a token of 256 bits, of which only a hash is stored: it is shown once, when it is made.

const TOKEN_PATTERN = /^[\w-]{43}$/

/**
 * Makes the link to the member's year. An earlier one of the same year is worth nothing any more.
 * @returns its token
 * @throws AppError 401 without an account; 403 for a banned member
 */
export async function createYearLink(db: Db, userId: string, year: number, now: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const row = { token_hash: hashSecret(token), created_at: now }
  await transact(db, async (trx) => {
    await assertNotBanned(trx, userId, now)
    await trx
      .insertInto('year_links')
      .values({ user_id: userId, year, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'year']).doUpdateSet(row))
      .execute()
  })
  return token
}

/** Takes the link back; idempotent. */
export async function revokeYearLink(db: Db, userId: string, year: number): Promise<void> {
  await transact(db, (trx) =>
    trx.deleteFrom('year_links').where('user_id', '=', userId).where('year', '=', year).execute(),
  )
}

export async function hasYearLink(db: Db, userId: string, year: number): Promise<boolean> {
  const row = await db
    .selectFrom('year_links')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('year', '=', year)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whose year the token shows. Nobody's where the link was taken back, its member is hidden, banned or leaving, or there is a block between
 * them and the viewer.
 */
export async function findYearByToken(
  db: Db,
  year: number,
  typed: string,
  viewerId: string | null,
  now: number,
): Promise<string | null> {
  const token = findCode(typed, TOKEN_PATTERN)
  if (token === null) return null
  const row = await db
    .selectFrom('year_links as l')
    .innerJoin('profiles as p', 'p.id', 'l.user_id')
    .select('l.user_id')
    .where('l.token_hash', '=', hashSecret(token))
    .where('l.year', '=', year)
    .where(visibleTo(viewerId, 'years', now).of('l.user_id'))
    .executeTakeFirst()
  return row?.user_id ?? null
}
