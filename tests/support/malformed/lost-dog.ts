import type { Db } from '#db/client.ts'
import { drawCode } from '#features/lost/case-code.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { addNotice } from '#tests/support/found/notice-row.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'

/** An open case with a sighting that its owner has, with its photo, and one that waits for the admin; and a dog that its owner found. @returns their placeholders */
export async function loseDog(db: Db, dogId: string, ownerId: string, jpeg: Buffer): Promise<Record<string, string>> {
  const lostCode = await drawCode(db)
  await insertLostCase(db, { id: dogId, owner_id: ownerId }, { code: lostCode })
  const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: 'Corría.' }
  const add = (network: string) =>
    addSighting(db, {
      dogId,
      input,
      photo: { data: jpeg, width: 80, height: 80, ext: 'jpg', blur: '' },
      userId: null,
      network,
    }).then(({ id }) => id)
  const [sighting, reviewSighting] = [await add('192.0.2.7'), await add('192.0.2.8')]
  await db.updateTable('sightings').set({ state: 'review' }).where('id', '=', reviewSighting).execute()
  const foundNotice = await addNotice(db, { member_id: ownerId, secret_hash: null })
  await db
    .insertInto('found_photos')
    .values({ notice_id: foundNotice, data: jpeg.toString('base64'), width: 80, height: 80 })
    .execute()
  return { lostCode, sighting, reviewSighting, foundNotice }
}
