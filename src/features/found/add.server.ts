import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { onlyCause } from '#db/content.ts'
import { transact } from '#db/transact.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { needsReview } from '#features/contact/refusals.server.ts'
import { hashNetwork } from '#features/contact/sender-networks.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { notifyAdmin } from '#features/notifications/notify.server.ts'
import type { PreparedPhoto } from '#features/photos/ingest.server.ts'
import { toPhotoRow } from '#features/photos/photo-row.server.ts'
import { hashRequestKey, type RequestKey } from '#db/request-key.ts'
import { DAY_MS } from '#lib/time.ts'
import type { FoundInput } from './found-input.server.ts'
import { NOTICE_DAYS } from './found.ts'
import { matchNotice } from './matching.server.ts'
import { waitingLine } from './reviews.server.ts'

export interface NewNotice {
  input: FoundInput
  photo: Pick<PreparedPhoto, 'data' | 'width' | 'height'>
  /** What the detection takes it for. */
  breedSlug: string | null
  /** Null for a visitor. */
  userId: string | null
  /** IP address; stored as a hash of the day. */
  network: string
  /** The admin's address, who is notified of what waits for review. */
  adminEmail?: string | undefined
  /** The Idempotency-Key with its sender. */
  requestKey?: RequestKey | undefined
}

export interface SentNotice {
  id: string
  /** For the device of a finder without account; null for a member, and for a repeated request of another network or with a conversation. */
  secret: string | null
}

/**
 * The notice that the same request sent before; null for a new one. A visitor's device is given a new secret in the network that sent the
 * notice alone: a key that others have learnt, or guessed, opens nothing.
 * @param network IP address of who asks
 */
async function findSentNoticeIn(
  trx: Trx,
  requestKey: NewNotice['requestKey'],
  network: string,
  now = Date.now(),
): Promise<SentNotice | null> {
  if (!requestKey) return null
  const row = await trx
    .selectFrom('found_notices_all')
    .select(['id', 'member_id', 'network'])
    .where('request_key', '=', hashRequestKey('found', requestKey))
    .executeTakeFirst()
  if (!row) return null
  if (row.member_id !== null || row.network === null) return { id: row.id, secret: null }
  if (!(await hashNetwork(trx, network, now)).includes(row.network)) return { id: row.id, secret: null }
  // The first answer may not have arrived. Nobody can use a second secret once a conversation hangs on the first.
  const { secret, hash } = finderSecret()
  const { numUpdatedRows } = await trx
    .updateTable('found_notices_all')
    .set({ secret_hash: hash })
    .where('id', '=', row.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('contact_threads').select('id').where('found_id', '=', row.id))),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return { id: row.id, secret: null }
  return { id: row.id, secret }
}

/** The same in a transaction of its own. */
export const findSentNotice = async (
  db: Db,
  requestKey: NewNotice['requestKey'],
  network: string,
): Promise<SentNotice | null> => (requestKey ? transact(db, (trx) => findSentNoticeIn(trx, requestKey, network)) : null)

/**
 * Stores a notice and notifies the owners of lost dogs that look like it. That of a sender whose notices or sightings were refused goes to
 * the admin's review first; its sender does not learn of it. A repeated request changes nothing but the secret.
 * @throws AppError 403 for a banned member
 */
export async function addNotice(db: Db, notice: NewNotice, now = Date.now()): Promise<SentNotice> {
  const { input, photo, userId, requestKey } = notice
  const { place } = input
  const photoRow = toPhotoRow(photo)
  return transact(db, async (trx) => {
    if (userId !== null) await assertNotBanned(trx, userId, now)
    const sent = await findSentNoticeIn(trx, requestKey, notice.network, now)
    if (sent) return sent
    const networks = await hashNetwork(trx, notice.network, now)
    const isReviewed = await needsReview(trx, { memberId: userId, networks }, now)
    const id = randomUUID()
    const own = userId === null ? finderSecret() : null
    await trx
      .insertInto('found_notices_all')
      .values({
        id,
        member_id: userId,
        secret_hash: own?.hash ?? null,
        request_key: requestKey ? hashRequestKey('found', requestKey) : null,
        found_at: input.foundAt,
        zone: place.zone,
        province: place.province,
        shown_lat: place.matchPoint.lat,
        shown_lon: place.matchPoint.lon,
        size: input.size,
        breed_slug: notice.breedSlug,
        coat: input.coat,
        collar: input.collar,
        words: input.words,
        question: input.question,
        created_at: now,
        expires_at: now + NOTICE_DAYS * DAY_MS,
        network: networks[0],
        hidden: onlyCause(isReviewed ? 'sender' : undefined),
      })
      .execute()
    await trx
      .insertInto('found_photos')
      .values({ notice_id: id, ...photoRow })
      .execute()
    await matchNotice(trx, id, now)
    if (isReviewed) await notifyAdmin(trx, notice.adminEmail, 'review', await waitingLine(trx), now)
    return { id, secret: own?.secret ?? null }
  })
}
