import type { Db, Trx } from '#db/client.ts'
import { selectAliasHolders } from './alias-holders.server.ts'
import { normalizeAlias } from './profiles.ts'

/** Sets or removes the verified badge; the caller checks the rights and the alias. */
export async function setVerified(trx: Trx, id: string, verified: boolean): Promise<void> {
  await trx
    .updateTable('profiles_all')
    .set({ verified: verified ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

/** The one member who has this alias, or else the one who has it in another case or with other accents. */
export async function findMemberByAlias(db: Db, alias: string): Promise<{ id: string; alias: string } | undefined> {
  const members = await selectAliasHolders(db, alias).execute()
  const exact = members.filter((member) => member.alias === alias)
  const name = normalizeAlias(alias)
  const found = exact.length > 0 ? exact : members.filter((member) => normalizeAlias(member.alias) === name)
  return found.length === 1 ? found[0] : undefined
}
