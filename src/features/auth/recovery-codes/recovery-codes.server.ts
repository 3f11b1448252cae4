import { randomInt } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { type AuthenticatedMember, assertRecentSignIn } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { endSecrets, issueSecret, listSecrets, peekSecret, useSecret } from '#features/secrets/secrets.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { recordAddedWay } from '#features/auth/ways/added-ways.server.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { RECOVERY_CODE_ALPHABET, RECOVERY_CODE_CHARS, RECOVERY_CODE_COUNT, RECOVERY_TEXTS } from './recovery-codes.ts'

const randomCode = () =>
  Array.from(
    { length: RECOVERY_CODE_CHARS },
    () => RECOVERY_CODE_ALPHABET[randomInt(RECOVERY_CODE_ALPHABET.length)],
  ).join('')

/**
 * Replaces the member's recovery codes by ten new ones. The database stores only their hashes.
 * @throws AppError 401; 403 without recent authentication
 */
export async function createRecoveryCodes(
  db: Db,
  member: AuthenticatedMember | null,
  now = Date.now(),
): Promise<string[]> {
  if (!member) throw unauthenticated()
  assertRecentSignIn(member, now)
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, randomCode)
  await transact(db, async (trx) => {
    await recordAddedWay(trx, member, 'recovery-codes-created', {}, now)
    await endSecrets(trx, 'recovery-code', { user_id: member.id })
    for (const secret of codes) await issueSecret(trx, 'recovery-code', { user_id: member.id }, now, { secret })
  })
  return codes
}

/** The member's codes: how many are left, and when they were made; null for none. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<{ left: number; created_at: number } | null> {
  const rows = await listSecrets(db, 'recovery-code', { user_id: userId })
  const [first] = rows
  return first ? { left: rows.filter((row) => row.used_at === null).length, created_at: first.created_at } : null
}

/**
 * The account that a recovery code opens, once. A try with a used code is recorded: of an unknown one nobody knows whose it was to be.
 * @param code as `recoveryCodeInput` returns it
 * @throws AppError 422 for an unknown or used code
 */
export async function signInByRecoveryCode(db: Db, code: string, now = Date.now()): Promise<Account> {
  const { used, known } = await transact(db, async (trx) => {
    const used = await useSecret(trx, 'recovery-code', code, now)
    const known = used ?? (await peekSecret(trx, 'recovery-code', code, now))
    const event = used ? 'recovery-code-used' : 'recovery-code-refused'
    if (known) await logSecurityEvent(trx, known.user_id!, event, {}, now)
    return { used, known }
  })
  if (!used) {
    const text = known ? RECOVERY_TEXTS.used : RECOVERY_TEXTS.wrong
    throw invalid(text, { code: text })
  }
  return db.selectFrom('users').select(['id', 'email']).where('id', '=', used.user_id).executeTakeFirstOrThrow()
}
