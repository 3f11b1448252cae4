import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { forbidden } from '#lib/errors.ts'
import { findActiveBan } from './bans.server.ts'
import { formatBannedSignUpMessage } from './moderation.ts'

/** A ban outlives its account by no more than this, also one for good: nobody could lift it any more. */
const BAN_DIGEST_TTL_MS = 2 * 365 * 86_400_000
/** The one row of `ban_keys`. */
const KEY_ID = 1

/**
 * Keeps a banned member who deletes their account from coming back as a new one while the ban stands: of what they signed in
 * with, digests under a key of this site. Not banned, nothing is kept. Call it in the transaction that erases the account.
 * @param identities as `identitiesOf` (auth) spells them: exactly. A folded address would name other people's mailboxes, too
 */
export async function storeBanDigests(trx: Db, userId: string, identities: readonly string[], now = Date.now()) {
  const ban = await findActiveBan(trx, userId, now)
  if (!ban || identities.length === 0) return
  await trx
    .insertInto('ban_keys')
    .values({ id: KEY_ID, key: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const until = Math.min(ban.until ?? Infinity, now + BAN_DIGEST_TTL_MS)
  for (const digest of await computeBanDigests(trx, identities))
    await trx
      .insertInto('ban_digests')
      .values({ digest, until })
      .onConflict((conflict) =>
        conflict.column('digest').doUpdateSet((eb) => ({ until: eb.fn('max', ['until', eb.val(until)]) })),
      )
      .execute()
}

/** Asked before an account is made. @throws AppError 403 with the end of the ban */
export async function assertIdentitiesNotBanned(
  db: Db,
  identities: readonly string[],
  now = Date.now(),
): Promise<void> {
  const digests = await computeBanDigests(db, identities)
  if (digests.length === 0) return
  const { until } = await db
    .selectFrom('ban_digests')
    .select((eb) => eb.fn.max('until').as('until'))
    .where('digest', 'in', digests)
    .where('until', '>', now)
    .executeTakeFirstOrThrow()
  if (until !== null) throw forbidden(formatBannedSignUpMessage(until))
}

/** Lets them come back. @returns whether anything kept them from it */
export async function deleteBanDigests(db: Db, identities: readonly string[]): Promise<boolean> {
  const digests = await computeBanDigests(db, identities)
  if (digests.length === 0) return false
  const { numDeletedRows } = await db.deleteFrom('ban_digests').where('digest', 'in', digests).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** None while nobody is banned: then there is no key either. */
async function computeBanDigests(db: Db, identities: readonly string[]): Promise<string[]> {
  const row = await db.selectFrom('ban_keys').select('key').where('id', '=', KEY_ID).executeTakeFirst()
  return row ? identities.map((each) => createHmac('sha256', row.key).update(each).digest('base64url')) : []
}

/** Digests of bans that are over, and with the last of them the key. @returns rows gone */
export async function deleteExpiredBanDigests(db: Db, now: number): Promise<number> {
  const over = await db.deleteFrom('ban_digests').where('until', '<=', now).executeTakeFirstOrThrow()
  const keys = await db
    .deleteFrom('ban_keys')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('ban_digests').select('digest'))))
    .executeTakeFirstOrThrow()
  return Number(over.numDeletedRows + keys.numDeletedRows)
}
