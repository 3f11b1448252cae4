import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { assertMayReturn } from '#features/moderation/ban-digests.server.ts'
import { admitAll } from '#lib/admit.ts'
import { mailIdentity } from './identities.server.ts'

export interface Account {
  id: string
  email: string | null
}

const accountOf = (db: Db, email: string): Promise<Account | undefined> =>
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
  admit = admitAll,
  identities: readonly string[] = [],
): Promise<Account> {
  const known = await accountOf(db, email)
  if (known) return known
  await assertMayReturn(db, [mailIdentity(email), ...identities], now)
  await admit(() =>
    db
      .insertInto('users')
      .values({ id: randomUUID(), email, created_at: now })
      .onConflict((c) => c.column('email').doNothing())
      .execute(),
  )
  return (await accountOf(db, email))!
}
