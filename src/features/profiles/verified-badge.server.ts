import type { Db } from '#db/client.ts'
import { aliasKey } from './profiles.ts'

/** Gives the verified badge or takes it; who may ask for that is the caller's to know. False: there is no such member. */
export async function setVerified(db: Db, id: string, verified: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('profiles')
    .set({ verified: verified ? 1 : 0 })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The member of an alias, as people read it: case and accents aside. */
export const findMemberByAlias = (db: Db, alias: string): Promise<{ id: string; alias: string } | undefined> =>
  db.selectFrom('profiles').select(['id', 'alias']).where('alias_key', '=', aliasKey(alias)).executeTakeFirst()
