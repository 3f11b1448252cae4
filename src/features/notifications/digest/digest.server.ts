import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { transact } from '#db/transact.ts'
import type { OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { selectNotificationViews, toNotificationView } from '#features/live/notification-view.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import {
  DIGEST_BATCH_MEMBERS,
  DIGEST_MAX_ITEMS,
  DIGEST_MAX_AGE_MS,
  isSendingTime,
  NEWS_MAX_AGE_MS,
  weekOf,
} from './digest.ts'
import { type DigestItem, type DigestPart, digestMail } from './digest-mail.ts'
import { errorCode } from '#lib/error-code.ts'
import { paths } from '#lib/paths.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'

export interface DigestOptions {
  /** The public origin, for the links. */
  siteUrl: string
  send: (mail: OutgoingMail) => Promise<void>
  /** News that are no notifications: one line, null for none. They are looked for in each member who follows anything. A failure leaves them out. */
  findNews?: (db: Db, userId: string, since: number) => Promise<DigestItem | null>
  /** What a feature above adds to a member's mail; null for nothing. A failure leaves it out. */
  readPart?: (db: Db, userId: string, now: number) => Promise<DigestPart | null>
  batch?: number
}

/** The pause after a failure of the mail server, and between two looks at the clock, ms. */
const PAUSE_MS = 10 * MINUTE_MS
/** In the cursor: the week's are done. Sorts behind all ids, and is none: a member's must not outlive its use. */
const DONE = '~'

/** Whether the mail server refuses this address; mails to others go on. */
const isRefusedAddress = (error: unknown) => errorCode(error) === 'EENVELOPE'

/**
 * The weekly mails: one job that never ends looks at some members with news a minute, by id. The cursor is the week and the member who was
 * looked at last. A digest is recorded before it is sent, so that none is sent twice; where the mail server fails, the record is reverted.
 */
export const digests = ({ batch = DIGEST_BATCH_MEMBERS, ...options }: DigestOptions): Topic => ({
  name: 'digests',
  isForever: true,
  failure: 'los resúmenes semanales no se pudieron enviar',
  pauseMs: () => PAUSE_MS,
  async run(db, { cursor }, { now, signal }) {
    const week = weekOf(now)
    const [weekOfCursor, id = ''] = cursor.split(' ')
    const after = weekOfCursor === String(week) ? id : ''
    if (!isSendingTime(now) || after === DONE) return { at: now + PAUSE_MS }
    const ids = await listCandidates(db, after, batch)
    const end = performance.now() + MINUTE_MS
    for (const each of ids) {
      // A stop, or a slow mail server: the next step goes on with this member.
      if (signal.aborted || performance.now() > end) return { at: now + SECOND_MS }
      await sendDigest(db, each, week, options, now)
    }
    return { cursor: `${week} ${ids.length < batch ? DONE : ids.at(-1)}`, at: now + MINUTE_MS }
  },
})

/** Members with unread notifications, by the partial index notifications_unread, which is used only for a literal 0, and who follow anything. */
async function listCandidates(db: Db, after: string, limit: number): Promise<string[]> {
  const next = (table: 'notifications_all' | 'follows') =>
    db.selectFrom(table).select('user_id').distinct().where('user_id', '>', after).orderBy('user_id').limit(limit)
  const unseen = await next('notifications_all').where('is_read', '=', sql.lit(0)).execute()
  const following = await next('follows').execute()
  const ids = new Set([...unseen, ...following].map(({ user_id }) => user_id))
  return [...ids].toSorted((a, b) => (a < b ? -1 : 1)).slice(0, limit)
}

async function sendDigest(db: Db, id: string, week: number, options: DigestOptions, now: number): Promise<void> {
  const user = await db
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .leftJoin('digests as d', 'd.user_id', 'u.id')
    .leftJoin('notice_settings as s', 's.user_id', 'u.id')
    .select(['u.email', 'p.alias', 'd.is_off', 'd.week', 'd.sent_at', 's.follows_digest'])
    .where('u.id', '=', id)
    .executeTakeFirst()
  if (!user?.email || user.is_off === 1 || user.week === week) return
  // Notifications of an earlier digest are not repeated.
  const found = await readUnseen(db, id, Math.max(user.sent_at ?? 0, now - DIGEST_MAX_AGE_MS))
  const newsSince = Math.max(user.sent_at ?? 0, now - NEWS_MAX_AGE_MS)
  const news = user.follows_digest === 0 ? null : await findNews(db, id, options, newsSince)
  const items = news ? [...found.items.slice(0, DIGEST_MAX_ITEMS - 1), news] : found.items
  const unseen = found.unseen + (news ? 1 : 0)
  if (unseen === 0) return
  const part = await readPart(db, id, options, now)
  const token = await claimDigest(db, id, week, now)
  if (token === undefined) return
  try {
    const digest = { alias: user.alias, items, unseen, part, token }
    await options.send({ to: user.email, ...digestMail(options.siteUrl, digest) })
  } catch (error) {
    if (isRefusedAddress(error)) return
    await transact(db, (trx) =>
      trx.updateTable('digests').set({ week: user.week, sent_at: user.sent_at }).where('user_id', '=', id).execute(),
    )
    throw error
  }
}

async function findNews(db: Db, id: string, options: DigestOptions, since: number): Promise<DigestItem | null> {
  try {
    return (await options.findNews?.(db, id, since)) ?? null
  } catch (error) {
    console.error('perrario · un resumen semanal salió sin la línea de lo que se sigue:', error)
    return null
  }
}

async function readPart(db: Db, id: string, options: DigestOptions, now: number): Promise<DigestPart | null> {
  try {
    return (await options.readPart?.(db, id, now)) ?? null
  } catch (error) {
    console.error('perrario · un resumen semanal salió sin una de sus partes:', error)
    return null
  }
}

/**
 * Records that the member gets the week's digest from this call, of several at the same moment from one.
 * @returns a token for unsubscribing; undefined where it was sent, or is being sent
 */
async function claimDigest(db: Db, id: string, week: number, now: number): Promise<string | undefined> {
  const sent = { week, sent_at: now }
  return transact(db, async (trx) => {
    const row = await trx
      .insertInto('digests')
      .values({ user_id: id, ...sent })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet(sent)
          .where((eb) => eb.or([eb('digests.week', 'is', null), eb('digests.week', '!=', week)])),
      )
      .returning('user_id')
      .executeTakeFirst()
    return row && issueSecret(trx, 'digest-mails', { user_id: id }, now)
  })
}

/** The bell's line about what the member follows is left out: news of it have a line and a switch of their own. */
async function readUnseen(db: Db, userId: string, since: number) {
  const unseen = await countRows(
    db
      .selectFrom('notifications as n')
      .where('user_id', '=', userId)
      .where('is_read', '=', sql.lit(0))
      .where(isNoFollowNews)
      .where('created_at', '>', since),
  )
  const rows = await selectNotificationViews(db)
    .where('n.user_id', '=', userId)
    .where('n.is_read', '=', sql.lit(0))
    .where('n.created_at', '>', since)
    .where(isNoFollowNews)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(DIGEST_MAX_ITEMS)
    .execute()
  // The link is the dog's page, not the notification's own.
  const items = rows.map((row) => {
    const { title, content, path } = toNotificationView({ ...row, link: null })
    return { title, content, path }
  })
  return { items, unseen }
}

const isNoFollowNews = sql<SqlBool>`(n.link IS NULL OR n.link != ${paths.following})`

/** Whether the member gets digests; true by default. */
export async function wantsDigest(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom('digests').select('is_off').where('user_id', '=', userId).executeTakeFirst()
  return row?.is_off !== 1
}

export async function setDigestEnabled(trx: Trx, userId: string, isEnabled: boolean): Promise<void> {
  const is_off = isEnabled ? 0 : 1
  await trx
    .insertInto('digests')
    .values({ user_id: userId, is_off })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_off }))
    .execute()
}
