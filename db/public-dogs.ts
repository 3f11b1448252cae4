import type { Db } from './client.ts'

/** Whether the dog exists and is not quarantined. */
export const isDogPublic = async (db: Db, dogId: string): Promise<boolean> =>
  (await db.selectFrom('dogs').select('id').where('id', '=', dogId).executeTakeFirst()) !== undefined
