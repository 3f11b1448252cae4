import { randomInt } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { type AuthenticatedMember, assertRecentSignIn } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { hashSecret } from '#features/auth/token-hashes.server.ts'
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
    await trx.deleteFrom('recovery_codes').where('user_id', '=', member.id).execute()
    await trx
      .insertInto('recovery_codes')
      .values(
        codes.map((code) => ({ code_hash: hashSecret(code), user_id: member.id, created_at: now, used_at: null })),
      )
      .execute()
  })
  return codes
}

/** The member's codes: how many are left, and when they were made; null for none. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<{ left: number; created_at: number } | null> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select(['created_at', 'used_at'])
    .where('user_id', '=', userId)
    .execute()
  const [first] = rows
  return first ? { left: rows.filter((row) => row.used_at === null).length, created_at: first.created_at } : null
}

/** Records a try with a used code: of an unknown one nobody knows whose it was to be. @returns whether the code is known */
const logRefusedCode = (db: Db, codeHash: string, now: number): Promise<boolean> =>
  transact(db, async (trx) => {
    const known = await trx
      .selectFrom('recovery_codes')
      .select('user_id')
      .where('code_hash', '=', codeHash)
      .executeTakeFirst()
    if (known) await logSecurityEvent(trx, known.user_id, 'recovery-code-refused', {}, now)
    return known !== undefined
  })

/**
 * The account that a recovery code opens, once.
 * @param code as `recoveryCodeInput` returns it
 * @throws AppError 422 for an unknown or used code
 */
export async function signInByRecoveryCode(db: Db, code: string, now = Date.now()): Promise<Account> {
  const codeHash = hashSecret(code)
  const used = await transact(db, async (trx) => {
    const row = await trx
      .updateTable('recovery_codes')
      .set({ used_at: now })
      .where('code_hash', '=', codeHash)
      .where('used_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    if (row) await logSecurityEvent(trx, row.user_id, 'recovery-code-used', {}, now)
    return row
  })
  if (!used) {
    const known = await logRefusedCode(db, codeHash, now)
    const text = known ? RECOVERY_TEXTS.used : RECOVERY_TEXTS.wrong
    throw invalid(text, { code: text })
  }
  return db.selectFrom('users').select(['id', 'email']).where('id', '=', used.user_id).executeTakeFirstOrThrow()
}
