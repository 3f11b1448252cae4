import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { greatest } from '#db/dialect/expressions.ts'
import { transact } from '#db/transact.ts'
import { forbidden } from '#lib/errors.ts'
import { findActiveBan } from './bans.server.ts'
import { formatBannedSignUpMessage } from './moderation.ts'
import { DAY_MS } from '#lib/time.ts'

/** Longest time a ban outlives its account, permanent bans included: nobody could lift it later. */
const BAN_DIGEST_TTL_MS = 2 * 365 * DAY_MS
/** The one row of `ban_keys`. */
const KEY_ID = 1

/**
 * Stores digests of a banned member's sign-in identities, under a key of this site: who deletes the account cannot open a new
 * one while the ban is active. Stores nothing for a member who is not banned. Call it in the transaction that erases the account.
 * @param identities as `listIdentities` (auth) returns them, unfolded: a folded address would also match other people's mailboxes
 */
export async function storeBanDigests(trx: Trx, userId: string, identities: readonly string[], now = Date.now()) {
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
        conflict
          .column('digest')
          .doUpdateSet((eb) => ({ until: greatest(trx, eb.ref('ban_digests.until'), eb.val(until)) })),
      )
      .execute()
}

/** Call it before an account is created. @throws AppError 403 with the end of the ban */
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

/** Lets the member open an account again. @returns whether there was a digest to delete */
export async function deleteBanDigests(trx: Trx, identities: readonly string[]): Promise<boolean> {
  const digests = await computeBanDigests(trx, identities)
  if (digests.length === 0) return false
  const { numDeletedRows } = await trx
    .deleteFrom('ban_digests')
    .where('digest', 'in', digests)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns none while no digest is stored: the key does not exist then. */
async function computeBanDigests(db: Db, identities: readonly string[]): Promise<string[]> {
  const row = await db.selectFrom('ban_keys').select('key').where('id', '=', KEY_ID).executeTakeFirst()
  return row ? identities.map((identity) => createHmac('sha256', row.key).update(identity).digest('base64url')) : []
}

/** Deletes the key once no digest is left. @returns rows deleted */
export async function deleteUnusedBanKey(db: Db): Promise<number> {
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('ban_keys')
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('ban_digests').select('digest'))))
      .executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows)
}
