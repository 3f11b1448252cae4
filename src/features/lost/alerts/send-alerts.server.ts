import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { jsonTexts, withoutIndex } from '#db/dialect/expressions.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { madridDay } from '#lib/dates.ts'
import { cellsWithin } from '#lib/geo-cells.ts'
import { distanceKm } from '#lib/geo.ts'
import { DAY_MS, SECOND_MS } from '#lib/time.ts'
import { type AlertedCase, readAlertedCase, storedPhoto } from './alerted-case.server.ts'
import { ALERT_RADII_KM, ALERTS_PER_DAY, distanceBand, NEAR_ALERTS_PER_DAY, NEAR_KM } from './lost-alerts.ts'
import { LOST_MAILS } from './send-mails.server.ts'

/** Settings that one step looks at: others wait no longer than that for their turn to write. */
const SETTINGS_PER_STEP = 25
/** How long a case whose dog is hidden, or whose owner is banned, waits, ms; and when it is looked at again. */
const MAX_AGE_MS = 3 * DAY_MS
const HIDDEN_RETRY_MS = 10 * SECOND_MS

/** The topic of cases of which members near are to be alerted; a trigger of `lost_cases` adds them. */
export const LOST_ALERTS = 'lost-alerts'

/** Alerts the members near a lost dog. The cursor is the cell and the member who were looked at last. */
export const lostAlerts: Topic = {
  name: LOST_ALERTS,
  failure: 'los avisos de perros perdidos no se pudieron enviar',
  maxAgeMs: MAX_AGE_MS,
  async step(trx, { key: caseId, cursor, queuedAt }, now) {
    const lost = await readAlertedCase(trx, caseId, now)
    if (!lost) {
      const open = await trx.selectFrom('lost_cases').select('id').where('id', '=', caseId).executeTakeFirst()
      return open ? { at: now + HIDDEN_RETRY_MS } : 'done'
    }
    if (cursor === '') await markAnnounced(trx, lost, queuedAt, now)
    const maxKm = lost.isNear ? NEAR_KM : Infinity
    const [fromCell = '', fromUser = ''] = cursor.split(' ')
    for (const cell of cellsAround(lost)) {
      if (cell < fromCell) continue
      const after = cell === fromCell ? fromUser : ''
      const settings = await settingsInCell(trx, { cell, after, limit: SETTINGS_PER_STEP })
      const last = settings.at(-1)
      if (!last) continue
      const near = settings.filter((member) => distanceKm(member, lost.shown) <= Math.min(member.radius_km, maxKm))
      const ids = near.map(({ user_id }) => user_id)
      if (ids.length > 0) await alertMembers(trx, lost, ids, queuedAt, now)
      return { cursor: `${cell} ${last.user_id}` }
    }
    return 'done'
  },
}

/**
 * Writes down that the dog is announced, before and whether or not anybody is near: what its owner reads of a case that they open again tells
 * them nothing of others. Idempotent.
 */
const markAnnounced = (trx: Trx, { dogId }: AlertedCase, queuedAt: number, now: number) =>
  trx
    .updateTable('lost_history')
    .set({ alerted_at: now })
    .where('dog_id', '=', dogId)
    .where((eb) => eb.or([eb('alerted_at', 'is', null), eb('alerted_at', '<', queuedAt)]))
    .execute()

/** The cells that may hold members near enough, in the order in which the position counts them. */
const cellsAround = ({ shown }: AlertedCase): string[] =>
  ALERT_RADII_KM.flatMap((km) => cellsWithin(shown, km)).toSorted((a, b) => (a < b ? -1 : 1))

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

/** Alerts those of `ids` who may be alerted now. */
async function alertMembers(
  trx: Trx,
  lost: AlertedCase,
  ids: readonly string[],
  since: number,
  now: number,
): Promise<void> {
  const recipients = await claimRecipients(trx, {
    ids: JSON.stringify(ids),
    caseId: lost.id,
    ownerId: lost.ownerId,
    people: lost.people,
    isNear: lost.isNear || undefined,
    since,
    today: madridDay(now),
    now,
  })
  for (const recipient of recipients) await alertMember(trx, lost, recipient, now)
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
  const { user_id: userId } = recipient
  if (recipient.by_mail === 1) await enqueue(trx, LOST_MAILS, [{ key: `${lost.id} ${userId}`, userId }], now)
}
