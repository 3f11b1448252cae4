import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { isSwitchOn } from '#features/notifications/push/settings.server.ts'
import { madridDay, madridMidnight } from '#lib/dates.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'

/** Dogs looked at in one transaction, which bounds how long other writers wait. */
const DOGS_PER_BATCH = 25
/** Nothing is sent before ten in the morning, Madrid. */
const FIRST_HOUR = 10

/** The day a year ago, ms. After 28 February 2029 follows 1 March: the 29th of 2028 belongs to the 28th. */
function dayOneYearAgo(now: number): { from: number; to: number } {
  const ago = (day: number) => madridMidnight(day - 10_000)
  return { from: ago(madridDay(now)), to: ago(madridDay(madridMidnight(madridDay(now)) + DAY_MS + 2 * HOUR_MS)) }
}

/**
 * Sends «Tal día»: each member is notified of one dog of theirs that came to the album a year ago today, the first of that day. Progress is
 * stored with each batch's notifications, so that nobody is notified twice, whichever node goes on.
 * @returns notifications sent
 */
export async function sendMemories(
  db: Db,
  now: number,
  { batch = DOGS_PER_BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const day = madridDay(now)
  if (now < madridMidnight(day) + FIRST_HOUR * HOUR_MS) return 0
  await transact(db, (trx) =>
    trx
      .insertInto('memory_runs')
      .values({ day })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  for (let total = 0; ; await nextTurn()) {
    signal?.throwIfAborted()
    const sent = await transact(db, (trx) => sendBatch(trx, day, now, batch))
    if (sent === null) return total
    total += sent
  }
}

/** @returns notifications sent; null where the day is done */
async function sendBatch(trx: Trx, day: number, now: number, batch: number): Promise<number | null> {
  const run = await trx.selectFrom('memory_runs').selectAll().where('day', '=', day).executeTakeFirst()
  if (!run || run.done === 1) return null
  const dogs = await listDogs(trx, dayOneYearAgo(now), { at: run.cursor_at, id: run.cursor_id }, batch)
  const sent = await notifyPeople(trx, dogs, day, now)
  const last = dogs.at(-1)
  // The position is a dog's id, which must not outlive its use.
  const isDone = !last || dogs.length < batch
  const progress = isDone
    ? ({ done: 1, cursor_at: 0, cursor_id: '' } as const)
    : { cursor_at: last.created_at, cursor_id: last.id }
  await trx.updateTable('memory_runs').set(progress).where('day', '=', day).execute()
  return sent
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

async function notifyPeople(trx: Trx, dogs: readonly MemoryDog[], day: number, now: number): Promise<number> {
  const people = [
    ...new Set(dogs.flatMap((dog) => [dog.owner_id, dog.discoverer_id]).filter((id) => id !== null)),
  ].toSorted()
  if (people.length === 0) return 0
  const left = new Set(await listReachable(trx, people, madridMidnight(day)))
  let sent = 0
  for (const dog of dogs) {
    for (const userId of new Set([dog.owner_id, dog.discoverer_id])) {
      if (userId === null || !left.delete(userId)) continue
      await notify(trx, 'memory', { userId, dogId: dog.id }, now)
      sent++
    }
  }
  return sent
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

/** Checks every ten minutes whether the day's are still to be sent. All state is in the database. */
export const startMemories = (
  db: Db,
  { intervalMs = 10 * MINUTE_MS, delayMs = MINUTE_MS, clock = Date.now } = {},
): Job =>
  runEvery({ intervalMs, delayMs }, 'perrario · «Tal día» no se pudo enviar:', async (signal) => {
    const sent = await sendMemories(db, clock(), { signal })
    if (sent > 0) console.log(`perrario · «Tal día» enviados: ${sent}`)
  })
