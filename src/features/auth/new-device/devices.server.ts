import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import type { Account } from '#features/auth/users.server.ts'

/** Stored devices of one account; the least recently used are deleted beyond it. */
const MAX_DEVICES_PER_ACCOUNT = 20

/** The browser that an account is signed in with. */
export interface Device {
  /** The secret of the device's cookie. */
  secret: string
  /** Browser and system (`describeDevice`); null where the User-Agent names nothing. */
  name: string | null
}

/** Hashes the exact address, not its mailbox: the holders of two addresses that fold alike must not share a device. */
export const hashDevice = (secret: string, email: string): string => hashSecret(`${secret}\n${email}`)

/** By which rate limits count the device that holds `secret` and signed in to `email` before; null for any other. */
export async function findKnownDevice(db: Db, secret: string | undefined, email: string): Promise<string | null> {
  if (!secret) return null
  const devices = db.selectFrom('account_devices').where('sign_in_device', '=', hashDevice(secret, email))
  return (await devices.select('sign_in_device').executeTakeFirst())?.sign_in_device ?? null
}

/**
 * Records that the account was signed in with a device. One is known by its cookie together with what its browser calls itself: a cookie
 * that was copied to another browser makes no known device of it. Call it in the sign-in's transaction.
 * @returns whether the account was signed in with it before
 */
export async function recordDevice(
  trx: Trx,
  { id: user_id, email }: Account,
  { secret, name }: Device,
  now: number,
): Promise<boolean> {
  const secret_hash = hashSecret(`${secret}\n${user_id}`)
  const device = name ?? ''
  const sign_in_device = email === null ? null : hashDevice(secret, email)
  // A row from before names were stored has the other hash in place of this one.
  const unnamed = trx.deleteFrom('account_devices').where('user_id', '=', user_id)
  const { numDeletedRows } = await unnamed.where('secret_hash', '=', sign_in_device ?? '').executeTakeFirstOrThrow()
  const ofCookie = await trx
    .selectFrom('account_devices')
    .select('device')
    .where('secret_hash', '=', secret_hash)
    .execute()
  await trx
    .insertInto('account_devices')
    .values({ id: randomUUID(), user_id, secret_hash, device, sign_in_device, created_at: now, used_at: now })
    .onConflict((conflict) => conflict.columns(['secret_hash', 'device']).doUpdateSet({ sign_in_device, used_at: now }))
    .execute()
  const ofAccount = trx.selectFrom('account_devices').where('user_id', '=', user_id)
  const latest = ofAccount.select('id').orderBy('used_at', 'desc').limit(MAX_DEVICES_PER_ACCOUNT)
  await trx.deleteFrom('account_devices').where('user_id', '=', user_id).where('id', 'not in', latest).execute()
  return ofCookie.length > 0 ? ofCookie.some((row) => row.device === device) : numDeletedRows > 0n
}

/** Forgets every device of the account, so that the next sign-in of each is one of a new device again. */
export const forgetAllDevices = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('account_devices').where('user_id', '=', userId).execute()
}
