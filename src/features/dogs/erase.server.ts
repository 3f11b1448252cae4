import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { tellDog } from './tell.server.ts'

/** What becomes of a leaving member's dogs: they go too, or stay in the album without them. */
export type DogsChoice = 'delete' | 'keep'

const ROLES = ['user_id', 'owner_id', 'discoverer_id'] as const

/** The member has a part in the dog and nobody else has. */
const onlyOf =
  (userId: string) =>
  (eb: ExpressionBuilder<Schema, 'dogs'>): Expression<SqlBool> =>
    eb.and([
      eb.or(ROLES.map((role) => eb(role, '=', userId))),
      ...ROLES.map((role) => eb.or([eb(role, 'is', null), eb(role, '=', userId)])),
    ])

/**
 * Takes the member's name off every dog; with `delete`, the dogs that are theirs alone go before, and their addresses
 * answer 410. A dog in which somebody else has a part stays with them. Call it inside a transaction.
 * @returns photos to remove from the disk once the transaction has held
 */
export async function eraseUser(trx: Db, userId: string, choice: DogsChoice): Promise<string[]> {
  const urls = choice === 'delete' ? await removeDogsOf(trx, userId) : []
  await trx.deleteFrom('ownership_requests').where('user_id', '=', userId).execute()
  const changed = new Set<string>()
  for (const role of ROLES) {
    const rows = await trx
      .updateTable('dogs')
      .set({ [role]: null })
      .where(role, '=', userId)
      .returning('id')
      .execute()
    for (const { id } of rows) {
      changed.add(id)
      // Nobody is left to answer whose the dog is.
      if (role === 'discoverer_id') await trx.deleteFrom('ownership_requests').where('dog_id', '=', id).execute()
    }
  }
  for (const id of changed) await tellDog(trx, 'changed', id)
  return urls
}

async function removeDogsOf(trx: Db, userId: string): Promise<string[]> {
  const images = await trx
    .selectFrom('dog_images')
    .select('url')
    .where('dog_id', 'in', (eb) => eb.selectFrom('dogs').select('id').where(onlyOf(userId)))
    .execute()
  const gone = await trx.deleteFrom('dogs').where(onlyOf(userId)).returning('id').execute()
  for (const { id } of gone) await tellDog(trx, 'removed', id)
  return images.map((image) => image.url)
}
