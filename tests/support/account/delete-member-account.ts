import type { Trx as Db } from '#db/client.ts'
import { deleteAccount } from '#features/account/erase.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'

/** The member deletes their account as the page lets them: just proved, their alias typed. */
export async function deleteMemberAccount(
  db: Db,
  dataDir: string,
  { id }: { id: string },
  dogs: DogsChoice,
): Promise<void> {
  const profile = await db.selectFrom('profiles').select('alias').where('id', '=', id).executeTakeFirst()
  await deleteAccount(db, dataDir, withRecentSignIn({ id }), { dogs, alias: profile?.alias ?? FALLBACK_ALIAS })
}
