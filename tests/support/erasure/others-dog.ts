import type { Trx as Db } from '#db/client.ts'
import { findOpenCase } from '#features/lost/open-cases.server.ts'
import { giveOpinion, setOpinionsAsked } from '#features/opinions/opinions.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { addLostCase } from '#tests/support/sightings/lost-case.ts'
import type { Canary } from './canaries.ts'
import { worldOffset } from './world-places.ts'

/** What a member writes about another's dog beside comments: an opinion on its breed, and a sighting of it while it is lost. */
export async function writeAboutOthersDog(
  db: Db,
  ana: CurrentUser,
  { dogId, owner, number }: { dogId: string; owner: CurrentUser; number: number },
  words: Record<Canary, string>,
): Promise<void> {
  await setOpinionsAsked(db, owner, dogId, true)
  await giveOpinion(db, ana, dogId, { breed: 'Beagle', reason: words.opinion })
  if (!(await findOpenCase(db, dogId))) await addLostCase(db, { dogId, ownerId: owner.id, offset: worldOffset(number) })
  await addSighting(db, {
    dogId,
    input: { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: words.sighting },
    photo: null,
    userId: ana.id,
    network: '192.0.2.1',
  })
}
