import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { isSwitchOn } from '#features/notifications/push/settings.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { madridDay, madridMidnight } from '#lib/dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'

/** Dogs looked at in one step, which bounds how long other writers wait. */
const DOGS_PER_STEP = 25
/** Between two looks at the clock, ms. */
const IDLE_MS = 10 * MINUTE_MS
/** In the cursor: the day's are done. */
const DONE = 'done'
/** Nothing is sent before ten in the morning, Madrid. */
const FIRST_HOUR = 10

/** The day a year ago, ms. After 28 February 2029 follows 1 March: the 29th of 2028 belongs to the 28th. */
function dayOneYearAgo(now: number): { from: number; to: number } {
  const ago = (day: number) => madridMidnight(day - 10_000)
  return { from: ago(madridDay(now)), to: ago(madridDay(madridMidnight(madridDay(now)) + DAY_MS + 2 * HOUR_MS)) }
}

/**
 * «Tal día»: each member is notified of one dog of theirs that came to the album a year ago today, the first of that day. One job that never
 * ends looks at some dogs a step; the cursor is the day, and the time and id of the dog that was looked at last.
 */
export const memories: Topic = {
  name: 'memories',
  isForever: true,
  failure: '«Tal día» no se pudo enviar',
  async step(trx, { cursor }, now) {
    const day = madridDay(now)
    const [dayOfCursor, at = '0', id = ''] = cursor.split(' ')
    const isOfToday = dayOfCursor === String(day)
    if (now < madridMidnight(day) + FIRST_HOUR * HOUR_MS || (isOfToday && at === DONE)) return { at: now + IDLE_MS }
    const after = isOfToday ? { at: Number(at), id } : { at: 0, id: '' }
    const dogs = await listDogs(trx, dayOneYearAgo(now), after, DOGS_PER_STEP)
    await notifyPeople(trx, dogs, day, now)
    const last = dogs.at(-1)
    // A dog's id must not outlive its use.
    return { cursor: dogs.length < DOGS_PER_STEP ? `${day} ${DONE}` : `${day} ${last!.created_at} ${last!.id}` }
  },
}

type MemoryDog = Awaited<ReturnType<typeof listDogs>>[number]

/**
 * The dogs of a day that may be remembered, by index dogs_created. Hidden and deleted dogs have no row, lost ones are left out, and those
 * between whose owner and discoverer there is a block. A dog that
 * is marked as dead must be left out here once a column says so: none does.
 */
export const selectMemorableDogs = (
  db: Db,
  { from, to }: { from: number; to: number },
  after: { at: number; id: string },
  limit: number,
) =>
  db
    .selectFrom('dogs')
    .select(['id', 'created_at', 'owner_id', 'discoverer_id'])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.at, after.id)))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('lost_cases').select('lost_cases.id').whereRef('lost_cases.dog_id', '=', 'dogs.id'))),
    )
    .where(visibleTo(sql.ref('dogs.owner_id'), 'memories').of('dogs.discoverer_id'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)

const listDogs = (...args: Parameters<typeof selectMemorableDogs>) => selectMemorableDogs(...args).execute()

async function notifyPeople(trx: Trx, dogs: readonly MemoryDog[], day: number, now: number): Promise<void> {
  const people = [
    ...new Set(dogs.flatMap((dog) => [dog.owner_id, dog.discoverer_id]).filter((id) => id !== null)),
  ].toSorted()
  if (people.length === 0) return
  const left = new Set(await listReachable(trx, people, madridMidnight(day)))
  for (const dog of dogs) {
    for (const userId of new Set([dog.owner_id, dog.discoverer_id])) {
      if (userId === null || !left.delete(userId)) continue
      await notify(trx, 'memory', { userId, dogId: dog.id }, now)
    }
  }
}

/** Members who want these notifications, have a profile, and have had none today. */
async function listReachable(trx: Trx, people: readonly string[], today: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('profiles as p')
    .leftJoin('notice_settings as s', 's.user_id', 'p.id')
    .select('p.id')
    .where('p.id', 'in', people)
    .where(isSwitchOn('s.memories'))
    .where(visibleTo(null, 'presence').of('p.id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as n')
            .select('n.id')
            .whereRef('n.user_id', '=', 'p.id')
            .where('n.created_at', '>=', today)
            .where('n.topic', '=', 'memory'),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}
