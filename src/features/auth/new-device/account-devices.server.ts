import { randomUUID } from 'node:crypto'
import type { Trx } from '#db/client.ts'
import { hashDevice } from '#features/auth/sessions/known-devices.server.ts'
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

/**
 * Records that the account was signed in with a device. One is known by its cookie together with what its browser calls itself: a cookie
 * that was copied to another browser makes no known device of it. Call it in the sign-in's transaction, before `saveKnownDevice`.
 * @returns whether the account was signed in with it before
 */
export async function recordAccountDevice(
  trx: Trx,
  { id: userId, email }: Account,
  { secret, name }: Device,
  now: number,
): Promise<boolean> {
  const secret_hash = hashSecret(`${secret}\n${userId}`)
  const device = name ?? ''
  const sign_in_device = email === null ? null : hashDevice(secret, email)
  const ofCookie = await trx
    .selectFrom('account_devices')
    .select('device')
    .where('secret_hash', '=', secret_hash)
    .execute()
  const isKnown =
    ofCookie.length > 0
      ? ofCookie.some((row) => row.device === device)
      : sign_in_device !== null && (await wasKnownBefore(trx, sign_in_device, userId))
  await trx
    .insertInto('account_devices')
    .values({ id: randomUUID(), user_id: userId, secret_hash, device, sign_in_device, created_at: now, used_at: now })
    .onConflict((conflict) => conflict.columns(['secret_hash', 'device']).doUpdateSet({ sign_in_device, used_at: now }))
    .execute()
  const latest = trx
    .selectFrom('account_devices')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .limit(MAX_DEVICES_PER_ACCOUNT)
  await trx.deleteFrom('account_devices').where('user_id', '=', userId).where('id', 'not in', latest).execute()
  return isKnown
}

/** Devices that signed in before this table was there are only in `sign_in_devices`. */
const wasKnownBefore = async (trx: Trx, signInDevice: string, userId: string): Promise<boolean> =>
  (await trx
    .selectFrom('sign_in_devices')
    .select('id')
    .where('id', '=', signInDevice)
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined

/** Forgets every device of the account, so that the next sign-in of each is one of a new device again. */
export const forgetAllDevices = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('account_devices').where('user_id', '=', userId).execute()
  await trx.deleteFrom('sign_in_devices').where('user_id', '=', userId).execute()
}
