import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { jsonTexts, withoutIndex } from '#db/dialect/expressions.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import { withShortCheckpoints } from '#db/dialect/short-checkpoints.ts'
import { transact } from '#db/transact.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { madridDay } from '#lib/dates.ts'
import { backgroundThrottle } from '#lib/cpu-throttle.ts'
import { cellsWithin } from '#lib/geo-cells.ts'
import { distanceKm } from '#lib/geo.ts'
import { DAY_MS } from '#lib/time.ts'
import { type AlertedCase, readAlertedCase, storedPhoto } from './alerted-case.server.ts'
import { ALERT_RADII_KM, ALERTS_PER_DAY, distanceBand, NEAR_ALERTS_PER_DAY, NEAR_KM } from './lost-alerts.ts'

/** Settings that one statement reads. */
const SETTINGS_PER_BATCH = 400
/** Members who are alerted in one transaction. Others wait no longer than that for their turn: to write, and to be answered. */
const ALERTS_PER_BATCH = 4
/** How long a case whose dog is hidden, or whose owner is banned, stays in the queue, ms. */
const QUEUE_MAX_AGE_MS = 3 * DAY_MS

const nextSlot = backgroundThrottle.lane()

interface Position {
  after_cell: string
  after_user: string
}
type QueuedCase = Position & { case_id: string; queued_at: number }

const nextCase = prepareQuery((db, { after }: { after: string }) =>
  db.selectFrom('lost_alert_queue').selectAll().where('case_id', '>', after).orderBy('case_id').limit(1),
)

/**
 * Alerts the members near queued cases, case after case. How far it came with a case is written in the transaction that notifies: after an
 * interruption the next call, or another node, goes on there, and alerts nobody twice. A case that fails is logged and tried again in the
 * next round.
 * @param signal stops before the next batch of members
 * @param now milliseconds
 * @returns how many members were alerted
 */
export async function sendLostAlerts(db: Db, signal?: AbortSignal, now = Date.now()): Promise<number> {
  let alerted = 0
  for (let after = ''; ;) {
    const [queued] = await nextCase(db, { after })
    if (!queued || signal?.aborted) return alerted
    after = queued.case_id
    try {
      alerted += await withShortCheckpoints(db, () => sendCase(db, queued, signal, now))
    } catch (error) {
      // The others do not wait for this one.
      console.error('perrario · de un perro perdido se avisa en la próxima vuelta:', error)
    }
    await nextSlot()
  }
}

async function sendCase(db: Db, queued: QueuedCase, signal: AbortSignal | undefined, now: number): Promise<number> {
  const lost = await readAlertedCase(db, queued.case_id, now)
  if (!lost) {
    if (queued.queued_at < now - QUEUE_MAX_AGE_MS) await removeFromQueue(db, queued.case_id)
    return 0
  }
  await markAnnounced(db, lost, queued.queued_at, now)
  const maxKm = lost.isNear ? NEAR_KM : Infinity
  let position: Position = queued
  let alerted = 0
  for (const cell of cellsAround(lost)) {
    if (cell < position.after_cell) continue
    for (let after = cell === position.after_cell ? position.after_user : ''; ;) {
      if (signal?.aborted) return alerted
      const settings = await settingsInCell(db, { cell, after, limit: SETTINGS_PER_BATCH })
      const near = settings.filter((member) => distanceKm(member, lost.shown) <= Math.min(member.radius_km, maxKm))
      for (let from = 0; from < near.length; from += ALERTS_PER_BATCH) {
        if (signal?.aborted) return alerted
        const batch = near.slice(from, from + ALERTS_PER_BATCH).map(({ user_id }) => user_id)
        const next = { after_cell: cell, after_user: batch.at(-1)! }
        await nextSlot()
        const result = await transact(db, (trx) => alertBatch(trx, { lost, position, next, ids: batch }, queued, now))
        if (result === null) return alerted
        alerted += result
        position = next
      }
      const last = settings.at(-1)
      if (!last || settings.length < SETTINGS_PER_BATCH) break
      after = last.user_id
      await nextSlot()
    }
  }
  await removeFromQueue(db, lost.id)
  return alerted
}

/**
 * Writes down that the dog is announced, before and whether or not anybody is near: what its owner reads of a case that they open again tells
 * them nothing of others. Idempotent.
 */
const markAnnounced = (db: Db, { id, dogId }: AlertedCase, queuedAt: number, now: number) =>
  transact(db, (trx) =>
    trx
      .updateTable('lost_history')
      .set({ alerted_at: now })
      .where('dog_id', '=', dogId)
      .where(({ exists, selectFrom }) => exists(selectFrom('lost_cases').select('id').where('id', '=', id)))
      .where((eb) => eb.or([eb('alerted_at', 'is', null), eb('alerted_at', '<', queuedAt)]))
      .execute(),
  )

/** The cells that may hold members near enough, in the order in which the position counts them. */
const cellsAround = ({ shown }: AlertedCase): string[] =>
  ALERT_RADII_KM.flatMap((km) => cellsWithin(shown, km)).toSorted((a, b) => (a < b ? -1 : 1))

const removeFromQueue = (db: Db, caseId: string) =>
  transact(db, (trx) => trx.deleteFrom('lost_alert_queue').where('case_id', '=', caseId).execute())

/** By the index lost_alert_settings_cell. */
const settingsInCell = prepareQuery((db, { cell, after, limit }: { cell: string; after: string; limit: number }) =>
  db
    .selectFrom('lost_alert_settings')
    .select(['user_id', 'lat', 'lon', 'radius_km'])
    .where('cell', '=', cell)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit),
)

const selectPosition = prepareQuery((trx, { caseId }: { caseId: string }) =>
  trx.selectFrom('lost_alert_queue').select(['after_cell', 'after_user']).where('case_id', '=', caseId),
)
const updatePosition = prepareWrite((trx, { caseId, ...next }: Position & { caseId: string }) =>
  trx.updateTable('lost_alert_queue').set(next).where('case_id', '=', caseId),
)

/**
 * Alerts those of `ids` who may be alerted now, and writes down how far that is.
 * @returns how many; null where the case has ended or left the public, or another process goes on with it
 */
async function alertBatch(
  trx: Trx,
  { lost: { id }, position, next, ids }: { lost: AlertedCase; position: Position; next: Position; ids: string[] },
  { queued_at }: QueuedCase,
  now: number,
): Promise<number | null> {
  const [current] = await selectPosition(trx, { caseId: id })
  if (current?.after_cell !== position.after_cell || current.after_user !== position.after_user) return null
  const lost = await readAlertedCase(trx, id, now)
  if (!lost) return null
  const recipients = await claimRecipients(trx, {
    ids: JSON.stringify(ids),
    caseId: id,
    ownerId: lost.ownerId,
    people: lost.people,
    isNear: lost.isNear || undefined,
    since: queued_at,
    today: madridDay(now),
    now,
  })
  for (const recipient of recipients) await alertMember(trx, lost, recipient, now)
  await updatePosition(trx, { caseId: id, ...next })
  return recipients.length
}

type Recipient = Awaited<ReturnType<typeof claimRecipients>>[number]

interface Claim {
  /** JSON of the members' ids. */
  ids: string
  caseId: string
  ownerId: string
  people: readonly string[]
  isNear: true | undefined
  /** Who was notified of the case since then has been alerted, ms. */
  since: number
  /** A day of Madrid. */
  today: number
  now: number
}

/** Counts an alert of the day for the members who may get one: not the owner, none with a block, banned, leaving, or alerted before. */
const claimRecipients = prepareWrite((trx, { ids, caseId, ownerId, people, isNear, since, today, now }: Claim) => {
  const near = sql.lit(isNear ? 1 : 0)
  const open = trx
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', 'in', jsonTexts(trx, ids))
    .where('u.id', '!=', ownerId)
    .where(visibleTo(people, 'lostAlerts', now).of('u.id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notifications as n')
            .select('n.id')
            .whereRef('n.user_id', '=', 'u.id')
            .where('n.created_at', '>=', since)
            .where(withoutIndex(trx, 'n.target_id'), '=', caseId),
        ),
      ),
    )
  return trx
    .updateTable('lost_alert_settings')
    .set({
      alerted_day: today,
      alerted_count: sql<number>`CASE WHEN alerted_day = ${today} THEN alerted_count + 1 ELSE 1 END`,
      alerted_near: sql<number>`CASE WHEN alerted_day = ${today} THEN alerted_near + ${near} ELSE ${near} END`,
    })
    .where('user_id', 'in', open)
    .where((eb) => {
      const isLeft = [eb('alerted_count', '<', ALERTS_PER_DAY)]
      if (isNear) isLeft.push(eb('alerted_near', '<', NEAR_ALERTS_PER_DAY))
      return eb.or([eb('alerted_day', '!=', today), eb.and(isLeft)])
    })
    .returning(['user_id', 'lat', 'lon', 'breaks_quiet', 'by_mail', 'by_push'])
})

async function alertMember(trx: Trx, lost: AlertedCase, recipient: Recipient, now: number): Promise<void> {
  await notify(
    trx,
    'lost-nearby',
    {
      userId: recipient.user_id,
      dogId: lost.dogId,
      actorId: lost.ownerId,
      caseId: lost.id,
      zone: lost.zone,
      since: lost.since,
      distance: distanceBand(distanceKm(recipient, lost.shown)),
      isPushed: recipient.by_push === 1,
      push: { breaksQuiet: recipient.breaks_quiet === 1, image: storedPhoto(lost.photoUrl) },
    },
    now,
  )
  if (recipient.by_mail === 1)
    await trx
      .insertInto('lost_alert_mails')
      .values({ case_id: lost.id, user_id: recipient.user_id, queued_at: now, due_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
