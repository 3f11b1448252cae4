import type { Db } from '#db/client.ts'
import { eraseUser as eraseAuth } from '#features/auth/erase.server.ts'
import { listIdentities } from '#features/auth/identities.server.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { eraseUser as eraseBreeds } from '#features/breeds/erase.server.ts'
import { eraseUser as eraseComments } from '#features/comments/erase.server.ts'
import { type DogsChoice, eraseUser as eraseDogs } from '#features/dogs/erase.server.ts'
import { eraseUser as eraseLikes } from '#features/likes/erase.server.ts'
import { eraseUser as eraseLive } from '#features/live/erase.server.ts'
import { storeBanDigests } from '#features/moderation/ban-digests.server.ts'
import { eraseUser as eraseModeration } from '#features/moderation/erase.server.ts'
import { findQuarantined } from '#features/moderation/quarantine.server.ts'
import { eraseUser as eraseNotifications } from '#features/notifications/erase.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { aliasKey, FALLBACK_ALIAS } from '#features/profiles/profiles.ts'
import { eraseUser as eraseProfile } from '#features/profiles/erase.server.ts'
import { eraseUser as eraseReports } from '#features/reports/erase.server.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { ACCOUNT_TEXTS } from './account.ts'

/** Who asks, and when they last proved it; null without a session. */
type Requester = AuthenticatedMember | null

/** Likes and comments that are taken back in one go: other members' deeds wait no longer than that for their turn. */
const ERASE_BATCH_SIZE = 200

/**
 * Deletes the member's account with everything of theirs in one transaction, and afterwards the photos of dogs that went
 * along. Every session of theirs ends; the address may register afresh, unless they are banned. Of very many likes and comments all but the
 * last portion go before that, in transactions of their own.
 * @param typed the alias typed as confirmation
 * @throws AppError 401; 403 where they have not proved lately who they are; 422 for an alias that is not theirs
 */
export async function deleteAccount(
  db: Db,
  dataDir: string,
  asker: Requester,
  { dogs, alias: typed }: { dogs: DogsChoice; alias: string },
): Promise<void> {
  if (!asker) throw unauthenticated()
  assertRecentSignIn(asker)
  const { id } = asker
  const profile = await db
    .selectFrom('profiles')
    .select(['alias', 'alias_key', 'likes_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  // A hidden profile goes by the fallback name.
  if (aliasKey(typed) !== (profile?.alias_key ?? aliasKey(FALLBACK_ALIAS)))
    throw invalid(ACCOUNT_TEXTS.alias, { alias: ACCOUNT_TEXTS.alias })
  const alias = profile?.alias ?? (await findQuarantinedAlias(db, id)) ?? id
  const { comments } = await db
    .selectFrom('comments')
    .select((eb) => eb.fn.countAll<number>().as('comments'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  await eraseInBatches(db, profile?.likes_count ?? 0, (trx) => eraseLikes(trx, id, ERASE_BATCH_SIZE))
  await eraseInBatches(db, comments, (trx) => eraseComments(trx, id, ERASE_BATCH_SIZE))
  const photos = await db.transaction().execute(async (trx) => {
    // First: what the others tell afterwards names nobody, and must reach the open pages.
    await eraseLive(trx, id, alias)
    const left = await eraseDogs(trx, id, dogs)
    await eraseLikes(trx, id)
    await eraseComments(trx, id)
    await eraseReports(trx, id)
    await storeBanDigests(trx, id, await listIdentities(trx, id))
    await eraseModeration(trx, id)
    await eraseNotifications(trx, id, alias)
    await eraseBreeds(trx, id)
    await eraseProfile(trx, id)
    await eraseAuth(trx, id)
    return left
  })
  for (const { dogId } of photos) await applyPhotoMoves(db, dataDir, dogId)
}

/** The alias of a profile that the admin hid: others' bells may still name it. */
async function findQuarantinedAlias(db: Db, id: string): Promise<string | undefined> {
  const held = await findQuarantined(db, 'profile', id)
  return held && (JSON.parse(held.snapshot) as { alias: string }).alias
}

async function eraseInBatches(db: Db, count: number, erase: (trx: Db) => Promise<number>): Promise<void> {
  for (let left = count; left > ERASE_BATCH_SIZE; left -= ERASE_BATCH_SIZE) await db.transaction().execute(erase)
}
