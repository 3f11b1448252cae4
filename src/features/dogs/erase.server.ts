import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'

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
  for (const role of ROLES)
    await trx
      .updateTable('dogs')
      .set({ [role]: null })
      .where(role, '=', userId)
      .execute()
  return urls
}

async function removeDogsOf(trx: Db, userId: string): Promise<string[]> {
  const images = await trx
    .selectFrom('dog_images')
    .select('url')
    .where('dog_id', 'in', (eb) => eb.selectFrom('dogs').select('id').where(onlyOf(userId)))
    .execute()
  await trx.deleteFrom('dogs').where(onlyOf(userId)).execute()
  return images.map((image) => image.url)
}
