import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { tryExclusively } from '#db/dialect/exclusive.ts'
import { deleteSightingPhotos } from '#db/sighting-photos.ts'
import type { AccountErasuresTable } from '#db/tables/accounts.ts'
import { transact } from '#db/transact.ts'
import { assertErasableNow } from '#features/auth/dispute/dispute.server.ts'
import { listIdentities, revokeAddresses } from '#features/auth/users.server.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { eraseUser as eraseComments } from '#features/comments/erase.server.ts'
import { eraseUser as eraseDogs, hasDogs } from '#features/dogs/erase.server.ts'
import { type DogsChoice, eraseLeftRoles } from '#features/dogs/member-roles.server.ts'
import { eraseUser as eraseFollows } from '#features/follows/erase.server.ts'
import { eraseNotices as eraseFoundNotices } from '#features/found/erase.server.ts'
import { eraseUser as eraseLikes } from '#features/likes/erase.server.ts'
import { storeBanDigests } from '#features/moderation/ban-digests.server.ts'
import { discardCases } from '#features/moderation/content.server.ts'
import { hasCases } from '#features/moderation/erase.server.ts'
import { eraseEvents } from '#features/live/live.server.ts'
import { eraseNotifications } from '#features/notifications/erase.server.ts'
import { eraseUser as eraseOpinions } from '#features/opinions/erase.server.ts'
import { applyAllPhotoMoves } from '#features/photos/planned-moves.server.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { eraseOwnReports, eraseUser as eraseReports } from '#features/reports/erase.server.ts'
import { eraseYearsNaming } from '#features/years/erase.server.ts'
import { invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { ACCOUNT_TEXTS } from './account.ts'
import { DELETION_TEXTS } from './deletion/deletion.ts'
import { findDeletion } from './deletion/deletion-state.server.ts'
import { ACCOUNT_TABLES } from './personal-data/accounts.ts'
import { eraseRows } from './personal-data/erase-rows.server.ts'

/** Erases at most `limit` things of the member. @returns how many */
type EraseBatch = (trx: Trx, userId: string, limit: number) => Promise<number>

/** Likes and comments that are taken back in one transaction; others wait no longer than that for their turn. */
const ROWS_PER_BATCH = 10
/** Follows, which nothing else depends on. */
const FOLLOWS_PER_BATCH = 200

/** What goes in batches, being much, or more than rows: what others see first. */
const CONTENT_BATCHES: readonly EraseBatch[] = [eraseLikes, eraseComments, eraseOpinions, eraseFollows]
const OTHER_BATCHES: readonly EraseBatch[] = [
  eraseNotifications,
  eraseOwnReports,
  eraseLeftRoles,
  eraseYearsNaming,
  (trx, userId, limit) => deleteSightingPhotos(trx, { userId }, limit),
  eraseFoundNotices,
  eraseEvents,
]

/**
 * Whether a signed-in member may delete their account now: they have proved lately who they are, and typed their alias.
 * @throws AppError 401; 403; 422
 */
export async function assertMayDelete(
  db: Db,
  requester: AuthenticatedMember | null,
  typedAlias: string,
): Promise<AuthenticatedMember> {
  if (!requester) throw unauthenticated()
  assertRecentSignIn(requester)
  const profile = await db.selectFrom('profiles').select('alias').where('id', '=', requester.id).executeTakeFirst()
  // A hidden profile goes by the fallback name.
  if (aliasKey(typedAlias) !== aliasKey(profile?.alias ?? FALLBACK_ALIAS))
    throw invalid(ACCOUNT_TEXTS.alias, { alias: ACCOUNT_TEXTS.alias })
  return requester
}

/**
 * Deletes the member's account with everything of theirs, now. One transaction signs them out everywhere, frees their address, takes
 * the profile out of sight and writes down that the rest is to be erased; the rest follows in batches that let other requests in
 * between, and continues at the next start where a crash interrupts it (`resumeErasures`). Banned addresses stay banned.
 * @param typed the alias typed as confirmation
 * @throws AppError 401; 403 where they have not proved lately who they are; 409 while the account is protected (auth/dispute); 422 for an
 *   alias that is not theirs
 */
export async function deleteAccount(
  db: Db,
  dataDir: string,
  requester: AuthenticatedMember | null,
  { dogs, alias: typed }: { dogs: DogsChoice; alias: string },
): Promise<void> {
  const { id } = await assertMayDelete(db, requester, typed)
  await transact(db, async (trx) => {
    await assertErasableNow(trx, id)
    await beginErasure(trx, { user_id: id, dogs })
  })
  await finishErasure(db, dataDir, { user_id: id, dogs })
}

/**
 * The same for an account that waits for its deletion, by who signed in to it and has proved lately who they are. Its dogs go or stay as
 * they chose.
 * @throws AppError 403; 404 where it has been undone, or is being undone; 409 while the account is protected
 */
export async function eraseLeavingAccount(db: Db, dataDir: string, leaving: AuthenticatedMember): Promise<void> {
  assertRecentSignIn(leaving)
  const erasure = await transact(db, async (trx) => {
    await assertErasableNow(trx, leaving.id)
    return beginErasureOfLeaving(trx, leaving.id)
  })
  if (!erasure) throw notFound(DELETION_TEXTS.nothing)
  await finishErasure(db, dataDir, erasure)
}

/** The same for an account whose deletion is due at `now`. It does nothing where its member has undone that. */
export async function eraseDueAccount(
  db: Db,
  dataDir: string,
  userId: string,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const erasure = await transact(db, (trx) => beginErasureOfLeaving(trx, userId, now))
  if (erasure) await finishErasure(db, dataDir, erasure, signal)
}

/** @param dueAt only where the deletion is due by then */
async function beginErasureOfLeaving(trx: Trx, userId: string, dueAt = Infinity): Promise<Erasure | null> {
  const deletion = await findDeletion(trx, userId)
  if (!deletion || deletion.state === 'restoring' || deletion.due_at > dueAt) return null
  await beginErasure(trx, deletion)
  return deletion
}

/** Signs the member out for good, and records that the rest is to be erased. Call it inside a transaction. */
async function beginErasure(trx: Trx, { user_id: id, dogs }: Erasure): Promise<void> {
  await storeBanDigests(trx, id, await listIdentities(trx, id))
  await trx
    .insertInto('account_erasures')
    .values({ user_id: id, dogs, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await eraseAtOnce(trx, id)
}

/** What goes at once: the ways in, the profile with its links, settings, and a deletion that could be undone. */
const AT_ONCE = (Object.keys(ACCOUNT_TABLES) as (keyof typeof ACCOUNT_TABLES)[]).filter(
  (table) => table !== 'users' && table !== 'account_erasures' && table !== 'events',
)

/** Ends every way in, and takes the profile out of sight. */
async function eraseAtOnce(trx: Trx, id: string): Promise<void> {
  await revokeAddresses(trx, id)
  await eraseRows(trx, id, AT_ONCE)
  await discardCases(trx, 'profile', [id])
}

async function finishErasure(db: Db, dataDir: string, erasure: Erasure, signal?: AbortSignal): Promise<void> {
  const erase = () => eraseRest(db, dataDir, erasure, signal)
  if (!(await tryExclusively(db, erasureLock(erasure.user_id), erase))) await erase()
}

/** Of several nodes: the one that resumes erasures leaves those that are under way elsewhere. */
const erasureLock = (userId: string): string => `erasure of ${userId}`

type Erasure = Pick<AccountErasuresTable, 'user_id' | 'dogs'>

/**
 * Erases what is left of an account that is signed out. Every step may run again: meanwhile others decide on what is still there,
 * restore it, or answer the member. All steps run until a transaction finds nothing left to erase; that one deletes the account.
 */
async function eraseRest(db: Db, dataDir: string, erasure: Erasure, signal?: AbortSignal): Promise<void> {
  let isDeleted = false
  while (!isDeleted) {
    await eraseInBatches(db, erasure, signal)
    isDeleted = await transact(db, (trx) => deleteIfErased(trx, erasure.user_id))
  }
  await applyAllPhotoMoves(db, dataDir)
}

async function eraseInBatches(db: Db, { user_id: id, dogs }: Erasure, signal?: AbortSignal): Promise<void> {
  const eraseAll = async (batches: readonly EraseBatch[]) => {
    for (const erase of batches) {
      const limit = erase === eraseFollows ? FOLLOWS_PER_BATCH : ROWS_PER_BATCH
      await runInBatches(db, limit, (trx) => erase(trx, id, limit), signal)
    }
  }
  await eraseDogs(db, id, dogs, signal)
  await eraseAll(CONTENT_BATCHES)
  await eraseReports(db, id, signal)
  await eraseAll(OTHER_BATCHES)
}

/** Deletes the account where nothing else is left of it. @returns false where something was: the steps run again */
async function deleteIfErased(trx: Trx, id: string): Promise<boolean> {
  if ((await hasDogs(trx, id)) || (await hasCases(trx, id))) return false
  for (const erase of [...CONTENT_BATCHES, ...OTHER_BATCHES])
    if ((await erase(trx, id, ROWS_PER_BATCH)) > 0) return false
  await eraseAtOnce(trx, id)
  await eraseRows(trx, id)
  return true
}

/** Goes on with the deletions that a crash or a restart has interrupted. Throws where `signal` stops it. */
export async function resumeErasures(db: Db, dataDir: string, signal?: AbortSignal): Promise<void> {
  for (const erasure of await db.selectFrom('account_erasures').selectAll().orderBy('created_at').execute())
    await tryExclusively(db, erasureLock(erasure.user_id), (lost) =>
      eraseRest(db, dataDir, erasure, signal ? AbortSignal.any([signal, lost]) : lost),
    )
}
