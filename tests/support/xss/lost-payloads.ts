import type { Trx as Db } from '#db/client.ts'
import { addNotice } from '#features/found/add.server.ts'
import { addClaim } from '#features/found/claims.server.ts'
import { readFoundPlace } from '#features/found/place.server.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import type { TestMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { update } from '#tests/support/rows.ts'

/** Fields of lost and found dogs that no schema of zod describes, and texts that are stored in other words than were typed. */
export const LOST_MARKS = [
  'lostzone',
  'sightingwords',
  'sightingzone',
  'reviewwords',
  'foundcoat',
  'foundcollar',
  'foundwords',
  'foundquestion',
  'foundanswer',
  'foundzone',
] as const

export interface LostPayloads {
  /** Pages that anybody may open. */
  open: string[]
  /** Those of the dog's owner, and of the notice's finder. */
  owner: string[]
  finder: string[]
}

interface Cast {
  owner: TestMember
  finder: TestMember
  dogId: string
  /** The text of a field, with its mark. */
  of: (mark: string) => string
}

/** Marks a dog as lost, and writes a sighting, one that waits for the admin, and a found dog with an answer: every text is a script. */
export async function writeLostPayloads(db: Db, { owner, finder, dogId, of }: Cast): Promise<LostPayloads> {
  await saveLostCase(db, owner, dogId, { since: Date.now(), zone: 'Getafe', help: '', chip: null })
  await update(db, 'lost_cases', { dog_id: dogId }, { help: of('losthelp'), zone: of('lostzone') })
  const picture = { data: await photo(), width: 64, height: 48, ext: 'jpg', blur: '' } as const
  const see = async (network: string, hidden: number, words: string) => {
    const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: 'Corría.' }
    const { id } = await addSighting(db, { dogId, input, photo: picture, userId: null, network })
    await update(db, 'sightings_all', { id }, { hidden, words, zone: of('sightingzone') })
  }
  await see('192.0.2.7', 0, of('sightingwords'))
  await see('192.0.2.8', 1, of('reviewwords'))
  const place = readFoundPlace('Getafe', null)
  const input = { foundAt: Date.now(), place, size: null, coat: '', collar: '', words: '', question: '' }
  const notice = { input, photo: picture, breedSlug: 'beagle', userId: finder.id, network: '192.0.2.9' }
  const { id: noticeId } = await addNotice(db, notice)
  await addClaim(db, { userId: owner.id, secrets: new Map() }, noticeId, 'Una cicatriz.')
  await update(
    db,
    'found_notices_all',
    { id: noticeId },
    {
      coat: of('foundcoat'),
      collar: of('foundcollar'),
      words: of('foundwords'),
      question: of('foundquestion'),
      zone: of('foundzone'),
    },
  )
  await update(db, 'found_claims', { notice_id: noticeId }, { answer: of('foundanswer') })
  const form = `/perdidos/${dogId}`
  return {
    open: [`${form}/visto`, `/perro/${dogId}/cartel`, `/perro/${dogId}/opiniones`],
    owner: [form, `${form}/avistamientos`, `/encontrados/${noticeId}`],
    finder: [`/encontrados/${noticeId}`],
  }
}
