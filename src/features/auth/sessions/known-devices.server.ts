import type { Db, Trx } from '#db/client.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import type { Account } from '#features/auth/users.server.ts'

/** Stored devices of one account; the least recently used are deleted beyond it. */
const MAX_DEVICES_PER_ACCOUNT = 20

/** Hashes the exact address, not its mailbox: the holders of two addresses that fold alike must not share a device. */
export const hashDevice = (secret: string, email: string) => hashSecret(`${secret}\n${email}`)

/** Id of the known device of `email` that holds `secret`; null for none. */
export async function findKnownDevice(db: Db, secret: string | undefined, email: string): Promise<string | null> {
  if (!secret) return null
  const row = await db
    .selectFrom('sign_in_devices')
    .select('id')
    .where('id', '=', hashDevice(secret, email))
    .executeTakeFirst()
  return row?.id ?? null
}

/** Stores the device of a sign-in. An account without address gets no mails, so it needs no device. */
export async function saveKnownDevice(
  trx: Trx,
  secret: string,
  { id, email }: Account,
  now = Date.now(),
): Promise<void> {
  if (email === null) return
  await trx
    .insertInto('sign_in_devices')
    .values({ id: hashDevice(secret, email), user_id: id, used_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ user_id: id, used_at: now }))
    .execute()
  const latest = trx
    .selectFrom('sign_in_devices')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('used_at', 'desc')
    .limit(MAX_DEVICES_PER_ACCOUNT)
  await trx.deleteFrom('sign_in_devices').where('user_id', '=', id).where('id', 'not in', latest).execute()
}
