import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Trx } from '#db/client.ts'
import { hasCause } from '#db/content.ts'
import type { LeftRolesTable, Schema } from '#db/schema.ts'
import { afterCommit } from '#db/transact.ts'
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

/** The same for a member whose account waits for its deletion: the roles are theirs again when they return (`returnRoles`). */
export async function leaveRole(
  trx: Trx,
  userId: string,
  choice: DogsChoice,
  role: RoleColumn,
  limit: number,
): Promise<number> {
  const ids = await takeRole(trx, userId, choice, role, limit)
  for (const dog_id of ids) await keepRole(trx, { user_id: userId, role, dog_id })
  return ids.length
}

const keepRole = (trx: Trx, row: LeftRolesTable) =>
  trx
    .insertInto('left_roles')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Leaves a role of a hidden dog to nobody while its member waits for their deletion. */
export async function leaveHiddenDog(trx: Trx, row: LeftRolesTable): Promise<void> {
  const change = trx.updateTable('dogs_all').set({ [row.role]: null })
  await change.where('id', '=', row.dog_id).execute()
  await keepRole(trx, row)
}

/**
 * Gives at most `limit` roles back to a member who returns. One that somebody else has by now stays theirs. Call it inside a transaction; for
 * dogs that have an owner again, `closeOwnershipRequests` after it.
 * @param owned receives their ids, after the commit
 * @returns how many
 */
export async function returnRoles(trx: Trx, userId: string, limit: number, owned: string[]): Promise<number> {
  const rows = await trx.selectFrom('left_roles').selectAll().where('user_id', '=', userId).limit(limit).execute()
  for (const { role, dog_id } of rows) {
    const given = await trx
      .updateTable('dogs_all')
      .set({ [role]: userId })
      .where('id', '=', dog_id)
      .where(role, 'is', null)
      .executeTakeFirstOrThrow()
    if (given.numUpdatedRows > 0n) await publishDogEvent(trx, 'changed', dog_id)
    if (role === 'owner_id') afterCommit(trx, () => void owned.push(dog_id))
    const left = trx.deleteFrom('left_roles').where('user_id', '=', userId).where('role', '=', role)
    await left.where('dog_id', '=', dog_id).execute()
  }
  return rows.length
}

/** Forgets at most `limit` roles that a member has left, who does not return. Call it inside a transaction. @returns how many */
export async function eraseLeftRoles(trx: Trx, userId: string, limit: number): Promise<number> {
  const rows = trx.selectFrom('left_roles').select(['role', 'dog_id']).where('user_id', '=', userId).limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('left_roles')
    .where('user_id', '=', userId)
    .where(({ eb, refTuple }) => eb(refTuple('role', 'dog_id'), 'in', rows.$asTuple('role', 'dog_id')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
