import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { endSecrets, issueSecret, listSecrets, peekSecret, type SecretKind } from '#features/secrets/secrets.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { unauthenticated } from '#lib/errors.ts'
import { findCode } from '#lib/text/typed-code.ts'

const TOKEN_PATTERN = /^[\w-]{43}$/

/** What a member shows to whoever has their link. They have one of each at most. */
export interface LinkedThing {
  kind: Extract<SecretKind, 'album-link' | 'year-link'>
  about: string
  /** When it ends by itself, ms; null: never. */
  expiresAt: number | null
}

/** The breeds that they lack. */
export const ALBUM_LINK: LinkedThing = { kind: 'album-link', about: '', expiresAt: null }

/**
 * Makes the member's link. An earlier one stops working.
 * @returns its token, of which the database keeps the hash alone
 * @throws AppError 401; 403 while they are banned
 */
export async function createMemberLink(
  db: Db,
  requester: Requester,
  { kind, about, expiresAt }: LinkedThing,
  now = Date.now(),
): Promise<string> {
  if (!requester) throw unauthenticated()
  return transact(db, async (trx) => {
    await assertNotBanned(trx, requester.id, now)
    return issueSecret(trx, kind, { user_id: requester.id, about }, now, { expiresAt })
  })
}

/** Ends the member’s link, if they have one. */
export const endMemberLink = (db: Db, userId: string, { kind, about }: LinkedThing): Promise<void> =>
  transact(db, (trx) => endSecrets(trx, kind, { user_id: userId, about }))

/** When the member's living link was made; null for none. */
export async function findMemberLink(
  db: Db,
  userId: string,
  { kind, about }: LinkedThing,
): Promise<{ created_at: number } | null> {
  const [secret] = await listSecrets(db, kind, { user_id: userId, about })
  return secret ? { created_at: secret.created_at } : null
}

/**
 * Whose link it is; null for one that is unknown or has ended, or whose member is out of sight or banned, or has a block between them and
 * the viewer.
 * @param viewerId the member who opens it; null for a visitor
 */
export async function findLinkedMember(
  db: Db,
  { kind, about }: LinkedThing,
  typed: string,
  viewerId: string | null,
  now = Date.now(),
): Promise<{ id: string; alias: string; emoji: string } | null> {
  const token = findCode(typed, TOKEN_PATTERN)
  const secret = token === null ? undefined : await peekSecret(db, kind, token, now)
  if (secret?.about !== about) return null
  const member = await db
    .selectFrom('profiles as p')
    .select(['p.id', 'p.alias', 'p.emoji'])
    .where('p.id', '=', secret.user_id)
    .where(visibleTo(viewerId, 'years', now).of('p.id'))
    .executeTakeFirst()
  return member ?? null
}
