import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { addNotice } from '#features/found/add.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import type { World } from './world.ts'
import { placeOf } from './world-places.ts'

/** A dog that the member found, and what they answered about one that another member found. */
export async function writeFound(
  db: Db,
  { ana, luis, number }: { ana: CurrentUser; luis: CurrentUser; number: number },
  words: World['words'],
): Promise<void> {
  const place = { zone: 'Getafe, Madrid', province: '28', matchPoint: placeOf(number, { lat: 40.3, lon: -3.7 }) }
  const texts = { coat: words.foundcoat, collar: words.foundcollar, words: words.foundwords }
  const input = { foundAt: Date.now(), place, size: null, ...texts, question: words.foundquestion }
  const picture = { data: await photo(), width: 1, height: 1 }
  await addNotice(db, { input, photo: picture, breedSlug: null, userId: ana.id, network: '192.0.2.1' })
  const other = await addNotice(db, {
    input: { foundAt: Date.now(), place, size: null, coat: '', collar: '', words: '', question: '' },
    photo: picture,
    breedSlug: null,
    userId: luis.id,
    network: '192.0.2.2',
  })
  await db
    .insertInto('found_claims')
    .values({
      id: randomUUID(),
      notice_id: other.id,
      user_id: ana.id,
      answer: words.foundanswer,
      state: 'open',
      created_at: 1,
      decided_at: null,
    })
    .execute()
  await db
    .insertInto('found_reports')
    .values({
      id: randomUUID(),
      notice_id: other.id,
      claim_id: null,
      reporter_id: ana.id,
      network: 'x',
      reason: 'false',
      created_at: 1,
    })
    .execute()
}
