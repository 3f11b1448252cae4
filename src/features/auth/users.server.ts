import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'

export interface Account {
  id: string
  email: string | null
}

/** The account of an address that its holder has proved, made on the first sign-in. Two at once make one. */
export async function ensureUser(db: Db, email: string, now = Date.now()): Promise<Account> {
  await db
    .insertInto('users')
    .values({ id: randomUUID(), email, created_at: now })
    .onConflict((c) => c.column('email').doNothing())
    .execute()
  return db.selectFrom('users').select(['id', 'email']).where('email', '=', email).executeTakeFirstOrThrow()
}
