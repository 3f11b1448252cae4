import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { assertIdentitiesNotBanned } from '#features/moderation/ban-digests.server.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { mailIdentity } from './identities.server.ts'

export interface Account {
  id: string
  email: string | null
}

const findAccountByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  db.selectFrom('users').select(['id', 'email']).where('email', '=', email).executeTakeFirst()

/**
 * The account of an address that its holder has proved, made on the first sign-in. Two at once make one.
 * @param admit asked before one is made
 * @param identities what else its holder has proved (identities.server.ts)
 * @throws AppError 403 where the one before was banned when it was deleted; 429 what `admit` says
 */
export async function ensureUser(
  db: Db,
  email: string,
  now = Date.now(),
  admit = unlimitedQuota,
  identities: readonly string[] = [],
): Promise<Account> {
  const known = await findAccountByEmail(db, email)
  if (known) return known
  await assertIdentitiesNotBanned(db, [mailIdentity(email), ...identities], now)
  await admit(() =>
    db
      .insertInto('users')
      .values({ id: randomUUID(), email, created_at: now })
      .onConflict((c) => c.column('email').doNothing())
      .execute(),
  )
  return (await findAccountByEmail(db, email))!
}
