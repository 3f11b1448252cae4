import type { Db, Trx } from '#db/client.ts'
import { inTexts, withoutIndex } from '#db/dialect/expressions.ts'
import { prepareQuery } from '#db/prepared.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { titleOf } from '#features/notifications/kinds.ts'
import { notify } from '#features/notifications/notify.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { madridDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'
import { cellsAround, isNear, PROVINCE_RANGE } from './alert-cells.ts'

/** A dog that was added earlier and is shown again or a deletion is not announced, ms. */
const ARRIVAL_MAX_AGE_MS = 7 * DAY_MS
/** Home zones that one step looks at: others wait no longer than that for their turn to write. */
const ZONES_PER_STEP = 100

/**
 * Notifies members of a breed that they lack and that has arrived near their home zones. Triggers of `dogs_all` add the jobs, which begin
 * again where the dog changes. The cursor is the cell and the member who were looked at last.
 */
export const breedAlerts: Topic = {
  name: 'breed-alerts',
  failure: 'los avisos de razas cercanas no se pudieron enviar',
  async step(trx, { key: id, cursor }, now) {
    const dog = await readDog(trx, id, now)
    const breed = dog && (await getCatalogue(trx)).bySlug.get(dog.breed_slug)
    const place = dog?.zone ? findPlace(dog.zone) : null
    if (!dog || !breed || !place || dog.created_at < now - ARRIVAL_MAX_AGE_MS) return 'done'
    const point = { lat: place.lat, lon: place.lon, province: provinceOf(dog.zone) }
    const [fromCell, fromUser = ''] = cursor.split(' ')
    const cells = cellsAround(point)
    for (const cell of cells.slice(Math.max(0, cells.indexOf(fromCell!)))) {
      const after = cell === fromCell ? fromUser : ''
      const zones = await zonesInCell(trx, { cell, after, breedSlug: dog.breed_slug, limit: ZONES_PER_STEP })
      const last = zones.at(-1)
      if (!last) continue
      const waiting = zones.filter(
        (zone) => zone.holder === null && zone.alerted_day < madridDay(now) && isNear(zone, point, zone.alert_km ?? 0),
      )
      if (waiting.length > 0) await notifyMembers(trx, dog, breed.nombre_castellano, waiting, now)
      return { cursor: `${cell} ${last.user_id}` }
    }
    return 'done'
  },
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

/** Notifies those of `zones` who may still be notified. */
async function notifyMembers(
  trx: Trx,
  dog: ArrivedDog,
  breed: string,
  zones: readonly { user_id: string; alert_km: number | null }[],
  now: number,
): Promise<void> {
  const [actorId = null] = peopleOf(dog)
  const ids = zones.map(({ user_id }) => user_id)
  const claimed = await claimMembers(trx, dog, ids, now)
  for (const { user_id, alert_km } of zones)
    if (claimed.includes(user_id)) {
      const km = alert_km === PROVINCE_RANGE ? null : alert_km
      await notify(trx, 'missing-breed', { userId: user_id, dogId: dog.id, actorId, breed, km }, now)
    }
}

/**
 * Marks those who may be notified today as notified: nobody with a block between them and the dog's people, who is leaving, or who was
 * notified of this dog before.
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
