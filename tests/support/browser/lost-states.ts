import type { Trx as Db } from '#db/client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { addMessage } from '#features/contact/messages.server.ts'
import { reportMessage } from '#features/contact/reported/report.server.ts'
import { openThread } from '#features/contact/threads.server.ts'
import { addNotice } from '#features/found/add.server.ts'
import { addClaim, decideClaim } from '#features/found/claims.server.ts'
import { readFoundPlace } from '#features/found/place.server.ts'
import { reportClaim, reportNotice } from '#features/found/reports.server.ts'
import { drawCode } from '#features/lost/case-code.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { dog, seed } from '#tests/support/seed.ts'

/** Dogs and notices in the states that the pages of lost and found dogs show. */
export interface LostStates {
  /** The owner's, lost and asked about, with sightings of every kind. */
  asked: Dog
  /** The owner's, lost, which nobody has seen yet. */
  unseen: Dog
  /** The owner's, home again, with thanks. */
  home: Dog
  /** The code of the poster of `asked`. */
  code: string
  /** The owner's notice, with dogs near and answers. */
  found: string
  /** The owner's notice where no dog is lost. */
  lonely: string
  /** A notice of which the owner was notified, and may answer. */
  notified: string
  /** The same with their answer refused, and another that waits. */
  answered: string
}

const ZONE = 'San Sebastián de los Reyes, Madrid'
const CIRCLE = { zone: ZONE, province: '28', shown_lat: 40.5474, shown_lon: -3.6261, lat: null, lon: null }
const LONG_HELP =
  'Tiene miedo de los coches y de los petardos: no la persigas, siéntate y llámala despacio. Lleva un collar rojo con una chapa.'
const MONEY = 'Sé dónde está. Hazme un Bizum de 200 € y te lo digo.'
const UNBROKEN = 'Ay'.repeat(60)

export async function seedLostStates(db: Db, { owner, other }: MatrixWorld): Promise<LostStates> {
  const own = { owner_id: owner.id, user_id: owner.id }
  const [asked, unseen, home, others] = await seed(
    db,
    dog({ ...own, name: 'Maximiliana Bartolomea', size: 'mediano' }),
    dog({ ...own, name: 'Lía' }),
    dog({ ...own, name: 'Yako' }),
    dog({ owner_id: other.id, name: 'Don Bartolomé de las Montañas', size: 'mediano' }),
  )
  const since = Date.now() - 30 * HOUR_MS
  const code = await drawCode(db)
  await insertLostCase(db, asked, { ...CIRCLE, since, code, help: LONG_HELP, chip: 1, asked_at: since + HOUR_MS })
  await insertLostCase(db, unseen, { since })
  await insertLostCase(db, others, { ...CIRCLE, since })
  await db
    .insertInto('lost_history')
    .values({
      dog_id: home.id,
      owner_id: owner.id,
      offset_north_m: 200,
      offset_east_m: 100,
      alerted_at: null,
      ended_at: Date.now(),
      thanked_at: Date.now(),
    })
    .execute()
  await addSightings(db, asked.id, await preparePhoto())
  await addReportedMessage(db, owner.id, other.id, asked.id)
  return { asked, unseen, home, code, ...(await addNotices(db, owner.id, other.id)) }
}

const preparePhoto = async () =>
  ({ data: await photo(120, 640, 480), width: 640, height: 480, ext: 'jpg', blur: '' }) as const
type Prepared = Awaited<ReturnType<typeof preparePhoto>>

/** One as whole as can be, folded ones, one without words, one that was refused, and one that waits for the admin. */
async function addSightings(db: Db, dogId: string, picture: Prepared): Promise<void> {
  const point = { lat: 40.54741, lon: -3.62615 }
  const kinds = [
    { words: `Corría hacia el parque. ${UNBROKEN}`, photo: picture, point },
    { words: MONEY, photo: null, point: null },
    { words: 'Llámame al 612 345 678.', photo: null, point: null },
    { words: '', photo: null, point },
  ]
  for (const [n, { words, ...rest }] of kinds.entries()) await add(n, { words, ...rest })
  const refused = await add(kinds.length, { words: 'No era.', photo: null, point: null })
  await db.updateTable('sightings_all').set({ state: 'refused' }).where('id', '=', refused).execute()
  const review = await add(kinds.length + 1, { words: `${MONEY} ${UNBROKEN}`, photo: picture, point })
  await db.updateTable('sightings_all').set({ hidden: 2 }).where('id', '=', review).execute()

  async function add(n: number, seen: { words: string; photo: Prepared | null; point: typeof point | null }) {
    const input = { at: Date.now() - n * HOUR_MS, zone: ZONE, words: seen.words, point: seen.point }
    const sent = { dogId, input, photo: seen.photo, userId: null, network: `192.0.2.${n + 1}` }
    return (await addSighting(db, sent)).id
  }
}

/** What the finder of a sighting writes to the owner, who reports it. */
async function addReportedMessage(db: Db, memberId: string, finderId: string, dogId: string): Promise<void> {
  const { id: lostCaseId } = await db
    .selectFrom('lost_cases')
    .select('id')
    .where('dog_id', '=', dogId)
    .executeTakeFirstOrThrow()
  const thread = await openThread(db, { lostCaseId, memberId, finder: { userId: finderId } })
  const { id } = await addMessage(db, 'finder', thread.id, `${MONEY} ${UNBROKEN}`)
  await reportMessage(db, { userId: memberId, secrets: new Map() }, thread.id, id)
}

/** Notices whose finder is the owner, and others of which they were notified. */
async function addNotices(db: Db, ownerId: string, otherId: string) {
  const picture = await preparePhoto()
  // An owner is notified of two notices of one network a day.
  const networks = Array.from({ length: 9 }, (_, n) => `192.0.2.${101 + n}`)
  const notify = async (userId: string, zone: string, question: string) => {
    const texts = {
      coat: 'Corto y canela, con el pecho blanco',
      collar: `Rojo ${UNBROKEN}`,
      words: LONG_HELP,
      question,
    }
    const input = { foundAt: Date.now(), place: readFoundPlace(zone, null), size: 'mediano' as const, ...texts }
    return (await addNotice(db, { input, photo: picture, breedSlug: 'beagle', userId, network: networks.pop()! })).id
  }
  const found = await notify(ownerId, ZONE, '¿Qué tiene en la pata?')
  const lonely = await notify(ownerId, 'Vigo, Pontevedra', '')
  const notified = await notify(otherId, ZONE, '¿Cuánto pagas por adelantado?')
  const answered = await notify(otherId, ZONE, '')
  const [finder, claimant] = [ownerId, otherId].map((userId) => ({ userId, secrets: new Map<string, string>() }))
  const refused = await addClaim(db, claimant!, found, `Es mío. ${UNBROKEN}`)
  await decideClaim(db, finder!, found, { id: refused.id, accept: false })
  const claimed = await addClaim(db, claimant!, found, MONEY)
  await reportClaim(db, finder!, { noticeId: found, claimId: claimed.id }, 'money')
  const mine = await addClaim(db, finder!, answered, 'Una cicatriz.')
  await decideClaim(db, claimant!, answered, { id: mine.id, accept: false })
  await addClaim(db, finder!, answered, 'Una mancha.')
  const reported = await notify(otherId, ZONE, MONEY)
  await reportNotice(db, finder!, reported, { reason: 'money', network: '203.0.113.9' })
  return { found, lonely, notified, answered }
}
