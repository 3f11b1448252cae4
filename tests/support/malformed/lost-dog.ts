import type { Db } from '#db/client.ts'
import { addNotice } from '#features/found/add.server.ts'
import { readFoundPlace } from '#features/found/place.server.ts'
import { drawCode } from '#features/lost/case-code.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'

interface LostDog {
  dogId: string
  ownerId: string
  finderId: string
  jpeg: Buffer
}

/**
 * An open case with a sighting that its owner has, with its photo, one that waits for the admin, and a found dog that its owner is
 * told of. @returns their placeholders
 */
export async function loseDog(db: Db, { dogId, ownerId, finderId, jpeg }: LostDog): Promise<Record<string, string>> {
  const lostCode = await drawCode(db)
  await insertLostCase(db, { id: dogId, owner_id: ownerId }, { code: lostCode })
  const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: 'Corría.' }
  const photo = { data: jpeg, width: 80, height: 80, ext: 'jpg', blur: '' } as const
  const add = (network: string) =>
    addSighting(db, {
      dogId,
      input,
      photo,
      userId: null,
      network,
    }).then(({ id }) => id)
  const [sighting, reviewSighting] = [await add('192.0.2.7'), await add('192.0.2.8')]
  await db.updateTable('sightings').set({ state: 'review' }).where('id', '=', reviewSighting).execute()
  const { id: notice } = await addNotice(db, {
    input: {
      foundAt: Date.now(),
      place: readFoundPlace('Jaca', null),
      size: null,
      coat: 'Corto',
      collar: '',
      words: 'Cojea.',
      question: '¿Qué cicatriz tiene?',
    },
    photo,
    breedSlug: null,
    userId: finderId,
  })
  return { lostCode, sighting, reviewSighting, notice }
}
