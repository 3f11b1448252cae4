import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { SecretsTable } from '#db/schema.ts'
import { DAY_MS } from '#lib/time.ts'

// What grants access by itself: links in mails, links that members share, codes. Each is shown once, and the database has its hash alone.

/** How long a mail's link unsubscribes. */
const MAIL_MS = 365 * DAY_MS

interface Kind {
  /** How long it is good for; none: until it is ended or used up. */
  lifeMs?: number
  /** Whether it works once. */
  isOnce?: true
  /** Whether a new one ends those that its subject has. */
  isOnly?: true
}
const KINDS = {
  'album-link': { isOnly: true },
  'year-link': { isOnly: true },
  'recovery-code': { isOnce: true },
  'undo-deletion': { isOnly: true },
  'passkey-register': { isOnce: true },
  'passkey-sign-in': { isOnce: true },
  'passkey-confirm': { isOnce: true },
  'dog-claim': { isOnce: true },
  'message-address': { lifeMs: MAIL_MS, isOnly: true },
  'digest-mails': { lifeMs: MAIL_MS },
  'lost-mails': { lifeMs: MAIL_MS },
  'message-mails': { lifeMs: MAIL_MS },
  'retracted-like': { lifeMs: DAY_MS },
} as const satisfies Record<string, Kind>

export type SecretKind = keyof typeof KINDS
type Kinds = SecretKind | readonly SecretKind[]
export type Secret = Selectable<SecretsTable> & { kind: SecretKind }
/** Whose a secret is, and what it is about. */
export type Subject = Partial<Pick<Secret, 'user_id' | 'dog_id' | 'about'>>

/** Fast hash, for random secrets too long to guess. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** 256 bits: nobody finds one by trying. */
const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Stores the hash of a secret, and deletes those that have expired.
 * @param secret by default a new one
 * @param expiresAt when it expires, ms, where its kind has no life of its own
 * @returns the secret, to be shown once
 */
export async function issueSecret(
  trx: Trx,
  kind: SecretKind,
  subject: Subject,
  now: number,
  { secret = newSecret(), expiresAt = null }: { secret?: string; expiresAt?: number | null } = {},
): Promise<string> {
  const { lifeMs, isOnly }: Kind = KINDS[kind]
  await trx.deleteFrom('secrets').where('expires_at', '<=', now).execute()
  if (isOnly) await endSecrets(trx, kind, subject)
  const expires_at = lifeMs === undefined ? expiresAt : now + lifeMs
  await trx
    .insertInto('secrets')
    .values({ hash: hashSecret(secret), kind, ...subject, expires_at, created_at: now })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ ...subject, expires_at, created_at: now }))
    .execute()
  return secret
}

/** The secret that somebody has, if it is of these kinds and not expired; also one that is used up. Changes nothing: mail scanners open links. */
export async function peekSecret(db: Db, kinds: Kinds, secret: string, now: number): Promise<Secret | undefined> {
  const found = await db
    .selectFrom('secrets')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('kind', 'in', [kinds].flat())
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return found as Secret | undefined
}

/** The same, and notes its first use. @returns undefined also for one that works once and is used up */
export async function useSecret(trx: Trx, kinds: Kinds, secret: string, now: number): Promise<Secret | undefined> {
  const found = await peekSecret(trx, kinds, secret, now)
  if (!found || (found.used_at !== null && (KINDS[found.kind] as Kind).isOnce)) return undefined
  if (found.used_at === null)
    await trx.updateTable('secrets').set({ used_at: now }).where('hash', '=', found.hash).execute()
  return found
}

/** The secrets of a kind that a subject has, also used up or expired ones. */
export const listSecrets = (db: Db, kind: SecretKind, subject: Subject): Promise<Selectable<SecretsTable>[]> =>
  db
    .selectFrom('secrets')
    .selectAll()
    .where('kind', '=', kind)
    .where((eb) => eb.and(subject))
    .execute()

/** Ends what a subject has of these kinds; idempotent. */
export async function endSecrets(trx: Trx, kinds: Kinds, subject: Subject): Promise<void> {
  await trx
    .deleteFrom('secrets')
    .where('kind', 'in', [kinds].flat())
    .where((eb) => eb.and(subject))
    .execute()
}
