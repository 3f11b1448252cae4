import type { Trx } from '#db/client.ts'

/** Deletes the member's cases, with all that refers to them, and what is left of earlier ones. Call it inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('lost_cases').where('owner_id', '=', userId).execute()
  await trx.deleteFrom('lost_alerted_dogs').where('owner_id', '=', userId).execute()
  for (const column of ['user_id', 'owner_id'] as const)
    await trx.deleteFrom('lost_homecomings').where(column, '=', userId).execute()
  await trx.deleteFrom('lost_history').where('owner_id', '=', userId).execute()
}
