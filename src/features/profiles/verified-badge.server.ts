import type { Db } from '#db/client.ts'
import { aliasKey } from './profiles.ts'

/** Sets or removes the verified badge; the caller checks the rights and the alias. */
export async function setVerified(db: Db, id: string, verified: boolean): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ verified: verified ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

/** The member with an alias, compared by `aliasKey`. */
export const findMemberByAlias = (db: Db, alias: string): Promise<{ id: string; alias: string } | undefined> =>
  db.selectFrom('profiles').select(['id', 'alias']).where('alias_key', '=', aliasKey(alias)).executeTakeFirst()
