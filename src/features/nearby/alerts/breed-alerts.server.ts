import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Trx } from '#db/client.ts'
import { inTexts, withoutIndex } from '#db/dialect/expressions.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { titleOf } from '#features/notifications/kinds.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { madridDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'
import { cellsAround, isNear, PROVINCE_RANGE } from './alert-cells.ts'

/** A dog that was added earlier and is shown again or a deletion is not announced, ms. */
const ARRIVAL_MAX_AGE_MS = 7 * DAY_MS
/** Home zones that one statement reads. */
const ZONES_PER_BATCH = 400
/** Members who are notified in one transaction; others wait no longer than that for their turn. */
const ALERTS_PER_BATCH = 20

const nextArrival = prepareQuery((db, { after }: { after: string }) =>
  db.selectFrom('dog_arrivals').select(['dog_id', 'queued_at']).where('dog_id', '>', after).orderBy('dog_id').limit(1),
)

/**
 * Notifies members of the breeds that they lack and that have arrived near their home zones, dog after dog, until none is left. A dog's row
 * is deleted when everybody near it is notified, and a member is marked in the transaction that notifies them: after an interruption the next
 * call, or another node, notifies nobody twice.
 * @returns how many were notified
 */
export async function announceArrivals(db: Db, signal?: AbortSignal, now = Date.now()): Promise<number> {
  let notifiedCount = 0
  for (let after = ''; ;) {
    const [arrival] = await nextArrival(db, { after })
    if (!arrival || signal?.aborted) return notifiedCount
    after = arrival.dog_id
    try {
      notifiedCount += await announceDog(db, arrival.dog_id, signal, now)
      if (signal?.aborted) return notifiedCount
      // A dog that has changed meanwhile is announced again.
      await transact(db, (trx) =>
        trx
          .deleteFrom('dog_arrivals')
          .where('dog_id', '=', arrival.dog_id)
          .where('queued_at', '=', arrival.queued_at)
          .execute(),
      )
    } catch (error) {
      // The others do not wait for this one.
      console.error('perrario · un perro se anuncia en la próxima vuelta:', error)
    }
    await nextTurn()
  }
}

type ArrivedDog = NonNullable<Awaited<ReturnType<typeof readDog>>>

/** Nobody is notified of what a banned or leaving member adds. */
const readDog = (db: Db, id: string, now: number) =>
  db
    .selectFrom('dogs')
    .select(['id', 'breed_slug', 'zone', 'user_id', 'owner_id', 'discoverer_id', 'created_at'])
    .where('id', '=', id)
    .where(visibleTo(null, 'nearby', now).of('dogs.user_id', 'dogs.owner_id', 'dogs.discoverer_id'))
    .executeTakeFirst()

const peopleOf = (dog: ArrivedDog): string[] => [
  ...new Set([dog.user_id, dog.owner_id, dog.discoverer_id].filter((id) => id !== null)),
]

async function announceDog(db: Db, id: string, signal: AbortSignal | undefined, now: number): Promise<number> {
  const dog = await readDog(db, id, now)
  const breed = dog && (await getCatalogue(db)).bySlug.get(dog.breed_slug)
  const place = dog?.zone ? findPlace(dog.zone) : null
  if (!dog || !breed || !place || dog.created_at < now - ARRIVAL_MAX_AGE_MS) return 0
  const point = { lat: place.lat, lon: place.lon, province: provinceOf(dog.zone) }
  let notifiedCount = 0
  for (const cell of cellsAround(point)) {
    for (let after = ''; ;) {
      if (signal?.aborted) return notifiedCount
      const zones = await zonesInCell(db, { cell, after, breedSlug: dog.breed_slug, limit: ZONES_PER_BATCH })
      const waiting = zones.filter(
        (zone) => zone.holder === null && zone.alerted_day < madridDay(now) && isNear(zone, point, zone.alert_km ?? 0),
      )
      for (let from = 0; from < waiting.length; from += ALERTS_PER_BATCH) {
        if (signal?.aborted) return notifiedCount
        notifiedCount += await notifyMembers(
          db,
          dog,
          breed.nombre_castellano,
          waiting.slice(from, from + ALERTS_PER_BATCH),
          now,
        )
        await nextTurn()
      }
      const last = zones.at(-1)
      if (!last || zones.length < ZONES_PER_BATCH) break
      after = last.user_id
      await nextTurn()
    }
  }
  return notifiedCount
}

/**
 * The home zones of a cell behind a member's id, by the index home_zones_alerts; `holder` is the member where their album has the breed. Who
 * is not notified is filtered afterwards: a statement must not read on until it finds as many as its limit.
 */
const zonesInCell = prepareQuery(
  (db, { cell, after, breedSlug, limit }: { cell: string; after: string; breedSlug: string; limit: number }) =>
    db
      .selectFrom('home_zones as h')
      .leftJoin('member_breeds as b', (join) =>
        join.onRef('b.user_id', '=', 'h.user_id').on('b.breed_slug', '=', breedSlug),
      )
      .select(['h.user_id', 'h.lat', 'h.lon', 'h.alert_km', 'h.alerted_day', 'b.user_id as holder'])
      .where('h.alert_cell', '=', cell)
      .where('h.user_id', '>', after)
      .orderBy('h.user_id')
      .limit(limit),
)

/** Notifies those of `zones` who may still be notified. @returns how many */
async function notifyMembers(
  db: Db,
  dog: ArrivedDog,
  breed: string,
  zones: readonly { user_id: string; alert_km: number | null }[],
  now: number,
): Promise<number> {
  const people = peopleOf(dog)
  const [actorId = null] = people
  let notifiedCount = 0
  await transact(db, async (trx) => {
    const ids = zones.map(({ user_id }) => user_id)
    const current = await readDog(trx, dog.id, now)
    const claimed = current?.breed_slug === dog.breed_slug ? await claimMembers(trx, dog, ids, now) : []
    for (const { user_id, alert_km } of zones)
      if (claimed.includes(user_id)) {
        const km = alert_km === PROVINCE_RANGE ? null : alert_km
        await notify(trx, 'missing-breed', { userId: user_id, dogId: dog.id, actorId, breed, km }, now)
      }
    notifiedCount = claimed.length
  })
  return notifiedCount
}

/**
 * Marks those who may be notified today as notified: nobody with a block between them and the dog's people, who is leaving, or who was
 * notified of this dog before. Of two processes one marks a member.
 */
async function claimMembers(trx: Trx, dog: ArrivedDog, ids: readonly string[], now: number): Promise<string[]> {
  const claimed = await trx
    .updateTable('home_zones')
    .set({ alerted_day: madridDay(now) })
    .where(inTexts(trx, 'user_id', ids))
    .where('alerted_day', '<', madridDay(now))
    .where('alert_cell', 'is not', null)
    .where(visibleTo(peopleOf(dog), 'breedAlerts').of('home_zones.user_id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as n')
            .select('n.id')
            .whereRef('n.user_id', '=', 'home_zones.user_id')
            .where('n.created_at', '>=', now - ARRIVAL_MAX_AGE_MS)
            .where(withoutIndex(trx, 'n.dog_id'), '=', dog.id)
            .where('n.title', '=', titleOf('missing-breed')),
        ),
      ),
    )
    .returning('user_id')
    .execute()
  return claimed.map(({ user_id }) => user_id)
}
