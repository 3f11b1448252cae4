import type { Trx as Db } from '#db/client.ts'
import { addMessage } from '#features/contact/messages.server.ts'
import { askForMails } from '#features/contact/relay/mail-wishes.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { openThread } from '#features/contact/threads.server.ts'
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
 * An open case with a sighting that its owner has, with its photo, one that waits for the admin, the owner's conversation with a
 * finder, and a found dog that its owner is told of. @returns their placeholders
 */
export async function loseDog(db: Db, { dogId, ownerId, finderId, jpeg }: LostDog): Promise<Record<string, string>> {
  const lostCode = await drawCode(db)
  const lostCaseId = await insertLostCase(db, { id: dogId, owner_id: ownerId }, { code: lostCode })
  const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: 'Corría.' }
  const photo = { data: jpeg, width: 80, height: 80, ext: 'jpg', blur: '' } as const
  const add = (network: string, userId: string | null = null) =>
    addSighting(db, {
      dogId,
      input,
      photo,
      userId,
      network,
    }).then(({ id }) => id)
  const [sighting, reviewSighting] = [await add('192.0.2.7'), await add('192.0.2.8')]
  const ownSighting = await add('192.0.2.10', finderId)
  await db.updateTable('sightings_all').set({ hidden: 1 }).where('id', '=', reviewSighting).execute()
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
    network: '192.0.2.9',
  })
  // Of many communities with the same lost dog, a notice is told to a dozen.
  const match = { score: 50, band_km: 5, told_at: Date.now() }
  await db
    .insertInto('found_matches')
    .values({ notice_id: notice, case_id: lostCaseId, ...match })
    .onConflict((conflict) => conflict.columns(['notice_id', 'case_id']).doUpdateSet(match))
    .execute()
  return { lostCode, sighting, reviewSighting, ownSighting, notice, ...(await writeToFinder(db, lostCaseId, ownerId)) }
}

/** A conversation with a message of the finder's, who wants mails and has not confirmed the address. */
async function writeToFinder(db: Db, lostCaseId: string, ownerId: string): Promise<Record<string, string>> {
  const { secret, hash } = finderSecret()
  const { id: thread } = await openThread(db, { lostCaseId, memberId: ownerId, finder: { secretHash: hash } })
  const { id: message } = await addMessage(db, 'finder', thread, 'Lo he visto.')
  const device = { userId: null, secrets: new Map([[thread, secret]]) }
  const asked = await askForMails(db, device, thread, 'quien-aviso@ejemplo.es')
  return { thread, message, confirmToken: asked!.token }
}
