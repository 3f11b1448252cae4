import type { Trx as Db } from '#db/client.ts'
import { giveOpinion, setOpinionsAsked } from '#features/opinions/opinions.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { member, seed } from '#tests/support/seed.ts'

/** The owner asks about the dog's breed, and a new member answers, with a reason. @returns the opinion's id */
export async function addReasonedOpinion(db: Db, owner: CurrentUser, dogId: string): Promise<string> {
  const [author] = await seed(db, member())
  await setOpinionsAsked(db, owner, dogId, true)
  await giveOpinion(db, author, dogId, { breed: 'Beagle', reason: 'Las orejas.' })
  return (await db.selectFrom('breed_opinions').select('id').executeTakeFirstOrThrow()).id
}
