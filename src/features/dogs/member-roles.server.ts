import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Trx } from '#db/client.ts'
import { hasCause } from '#db/content.ts'
import type { Schema } from '#db/schema.ts'
import { setProposed } from '#features/moderation/cases.server.ts'
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

/** True of dogs whose only participant is the member. */
export const isOnlyOf =
  (userId: string) =>
  (eb: ExpressionBuilder<Schema, 'dogs_all'>): Expression<SqlBool> =>
    eb.and([
      eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))),
      ...ROLE_COLUMNS.map((role) => eb.or([eb(role, 'is', null), eb(role, '=', userId)])),
    ])

/**
 * True of dogs that are deleted with the account of their only member. One that waits for the admin's review is, whatever they
 * chose: its texts are not approved, and no account is left that a review could warn or ban.
 */
export const goesWith =
  (userId: string, choice: DogsChoice) =>
  (eb: ExpressionBuilder<Schema, 'dogs_all'>): Expression<SqlBool> =>
    choice === 'delete' ? isOnlyOf(userId)(eb) : eb.and([isOnlyOf(userId)(eb), hasCause('words')])

/**
 * Takes the member out of one role of dogs, shown or hidden, at most `limit`, but not of those that go with them. Call it inside a transaction.
 * @returns the ids of the dogs
 */
export async function takeRole(
  trx: Trx,
  userId: string,
  choice: DogsChoice,
  role: RoleColumn,
  limit: number,
): Promise<string[]> {
  const dogs = trx
    .selectFrom('dogs_all')
    .select('id')
    .where(role, '=', userId)
    // One that others left meanwhile is the member's alone by now: it is deleted in the next round.
    .where((eb) => eb.not(goesWith(userId, choice)(eb)))
  const rows = await trx
    .updateTable('dogs_all')
    .set({ [role]: null })
    .where('id', 'in', dogs.limit(limit))
    .returning('id')
    .execute()
  for (const { id } of rows) {
    // Nobody is left to answer whose the dog is.
    if (role === 'discoverer_id') await trx.deleteFrom('ownership_requests_all').where('dog_id', '=', id).execute()
    await setProposed(trx, id, null)
    await publishDogEvent(trx, 'changed', id)
  }
  return rows.map(({ id }) => id)
}

/**
 * Gives a role of a dog back to a member. One that somebody else has by now stays theirs. Call it inside a transaction; after one that made an
 * owner, `closeOwnershipRequests`.
 */
export async function giveRole(trx: Trx, userId: string, dogId: string, role: RoleColumn): Promise<void> {
  const given = await trx
    .updateTable('dogs_all')
    .set({ [role]: userId })
    .where('id', '=', dogId)
    .where(role, 'is', null)
    .executeTakeFirstOrThrow()
  if (given.numUpdatedRows > 0n) await publishDogEvent(trx, 'changed', dogId)
}

/** Leaves a role of a hidden dog to nobody. */
export async function clearRole(trx: Trx, dogId: string, role: RoleColumn): Promise<void> {
  const change = trx.updateTable('dogs_all').set({ [role]: null })
  await change.where('id', '=', dogId).execute()
}
