import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Trx } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { setProposed } from '#features/moderation/cases.server.ts'
import {
  type QuarantineCause,
  type QuarantinedContent,
  readQuarantined,
  updateQuarantined,
} from '#features/moderation/quarantine.server.ts'
import { type QuarantinedDog, parseQuarantinedDog, participantsOf } from './quarantine.server.ts'
import { publishDogEvent } from './dog-events.server.ts'

// The roles of a member who leaves, or who comes back.

/**
 * What happens to the dogs of a member who leaves: `delete` removes them, `keep` leaves them without the member, except those that wait
 * for the admin (`goesWith`).
 */
export type DogsChoice = 'delete' | 'keep'

/** The columns that name a dog's people. */
export const ROLE_COLUMNS = ['user_id', 'owner_id', 'discoverer_id'] as const
export type RoleColumn = (typeof ROLE_COLUMNS)[number]

/** The same of quarantined dogs. */
export const HELD_ROLE_COLUMNS = ['owner_id', 'discoverer_id', 'uploader_id'] as const

/** True of dogs whose only participant is the member. */
export const isOnlyOf =
  (userId: string) =>
  (eb: ExpressionBuilder<Schema, 'dogs'>): Expression<SqlBool> =>
    eb.and([
      eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))),
      ...ROLE_COLUMNS.map((role) => eb.or([eb(role, 'is', null), eb(role, '=', userId)])),
    ])

const isOnlyMember = (ids: readonly (string | null)[], userId: string): boolean =>
  ids.includes(userId) && ids.every((id) => id === null || id === userId)

/**
 * Whether a quarantined dog is deleted with the account of its only member. One that waits for the admin's review is, whatever they
 * chose: its texts are not approved, and no account is left that a review could warn or ban.
 */
export const goesWith = (
  userId: string,
  choice: DogsChoice,
  cause: QuarantineCause,
  memberIds: readonly (string | null)[],
): boolean => (choice === 'delete' || cause === 'words' || cause === 'anonymous') && isOnlyMember(memberIds, userId)

/**
 * Takes the member out of one role of dogs, at most `limit`, but not of those that go with them. Call it inside a transaction.
 * @returns the ids of the dogs
 */
export async function takeRole(
  trx: Trx,
  userId: string,
  choice: DogsChoice,
  role: RoleColumn,
  limit: number,
): Promise<string[]> {
  let dogs = trx.selectFrom('dogs').select('id').where(role, '=', userId)
  // One that others left meanwhile is the member's alone by now: it is deleted in the next round.
  if (choice === 'delete') dogs = dogs.where((eb) => eb.not(isOnlyOf(userId)(eb)))
  const rows = await trx
    .updateTable('dogs')
    .set({ [role]: null })
    .where(role, '=', userId)
    .where('id', 'in', dogs.limit(limit))
    .returning('id')
    .execute()
  for (const { id } of rows) {
    // Nobody is left to answer whose the dog is.
    if (role === 'discoverer_id') await trx.deleteFrom('ownership_requests').where('dog_id', '=', id).execute()
    await setProposed(trx, id, null)
    await publishDogEvent(trx, 'changed', id)
  }
  return rows.map(({ id }) => id)
}

/** Takes the member out of all roles of a quarantined dog. Call it inside a transaction. @returns the roles */
export async function takeRolesOfQuarantined(
  trx: Trx,
  item: QuarantinedContent,
  userId: string,
): Promise<RoleColumn[]> {
  const snapshot = parseQuarantinedDog(item)
  const roles = ROLE_COLUMNS.filter((role) => snapshot.dog[role] === userId)
  await setQuarantinedRoles(trx, item, snapshot, Object.fromEntries(roles.map((role) => [role, null])))
  await setProposed(trx, snapshot.dog.id, null)
  return roles
}

async function setQuarantinedRoles(
  trx: Trx,
  item: QuarantinedContent,
  snapshot: QuarantinedDog,
  roles: Partial<Record<RoleColumn, string | null>>,
): Promise<void> {
  const dog = { ...snapshot.dog, ...roles }
  const changed: QuarantinedDog = { ...snapshot, dog }
  const state = { memberIds: participantsOf(changed), roles: dog, claimHash: item.claim_hash }
  await updateQuarantined(trx, item, state, changed)
}

/**
 * Gives a role of a dog back to a member, public or quarantined. One that somebody else has by now stays theirs. Call it inside a
 * transaction; after one that made an owner, `closeOwnershipRequests`.
 * @returns whether the dog is public, in quarantine, or gone
 */
export async function giveRole(
  trx: Trx,
  userId: string,
  dogId: string,
  role: RoleColumn,
): Promise<'public' | 'quarantined' | 'gone'> {
  const given = await trx
    .updateTable('dogs')
    .set({ [role]: userId })
    .where('id', '=', dogId)
    .where(role, 'is', null)
    .executeTakeFirstOrThrow()
  if (given.numUpdatedRows > 0n) await publishDogEvent(trx, 'changed', dogId)
  const dog = await trx.selectFrom('dogs').select('id').where('id', '=', dogId).executeTakeFirst()
  if (dog) return 'public'
  const item = await readQuarantined(trx, 'dog', dogId)
  if (!item) return 'gone'
  const snapshot = parseQuarantinedDog(item)
  if (snapshot.dog[role] === null) await setQuarantinedRoles(trx, item, snapshot, { [role]: userId })
  return 'quarantined'
}
