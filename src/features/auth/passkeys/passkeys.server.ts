import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { PasskeysTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { recordRemovedWay } from '#features/auth/ways/added-ways.server.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { canSignIn, readSignInWays, type UsableWays } from '#features/auth/ways/ways.server.ts'
import { AppError, forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { type Passkey, PASSKEY_TEXTS } from './passkeys.ts'

export const toPasskey = ({ id, name, device, created_at, used_at }: Selectable<PasskeysTable>): Passkey => ({
  id,
  name,
  device,
  created_at,
  used_at,
})

/** The member's passkeys, the oldest first, by index `passkeys_user`. */
export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

/** Whether the member has a passkey that works at this site. */
export async function hasPasskey(db: Db, userId: string, rpId: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .where('rp_id', '=', rpId)
    .executeTakeFirst()
  return row !== undefined
}

/** @throws AppError 404 for a passkey that is gone, 403 for somebody else's */
async function findOwnPasskey(db: Db, userId: string, id: string): Promise<Selectable<PasskeysTable>> {
  const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound(PASSKEY_TEXTS.missing)
  if (row.user_id !== userId) throw forbidden(PASSKEY_TEXTS.notYours)
  return row
}

/** Gives a passkey another name. @throws AppError 401, 403, 404 */
export async function renamePasskey(db: Db, user: { id: string } | null, id: string, name: string): Promise<Passkey> {
  if (!user) throw unauthenticated()
  return transact(db, async (trx) => {
    const row = await findOwnPasskey(trx, user.id, id)
    await trx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
    await logSecurityEvent(trx, user.id, 'passkey-renamed', { detail: name })
    return toPasskey({ ...row, name })
  })
}

/**
 * Removes a passkey and ends the member's other sessions: somebody else may have signed in with it.
 * @param usable which other ways the site offers
 * @param sessionId the session that stays
 * @throws AppError 401; 403 without recent authentication and for somebody else's; 404; 409 for the account's last way in
 */
export async function removePasskey(
  db: Db,
  member: AuthenticatedMember | null,
  id: string,
  { usable, sessionId }: { usable: UsableWays; sessionId: string },
  now = Date.now(),
): Promise<void> {
  if (!member) throw unauthenticated()
  const row = await findOwnPasskey(db, member.id, id)
  const { user_id, name } = row
  assertRecentSignIn(member, now)
  await transact(db, async (trx) => {
    await trx.deleteFrom('passkeys').where('id', '=', id).execute()
    if (!canSignIn(await readSignInWays(trx, user_id, usable))) throw new AppError(409, PASSKEY_TEXTS.lastWay)
    await trx.deleteFrom('sessions').where('user_id', '=', user_id).where('id', '!=', sessionId).execute()
    await recordRemovedWay(trx, 'passkey-removed', name, { table: 'passkeys', row }, now)
  })
}
