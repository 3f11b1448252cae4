import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { openThread } from '#features/contact/threads.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { textSchema } from '#features/moderation/text-schema.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { AppError, invalid, notFound } from '#lib/errors.ts'
import { ANSWER_LIMIT, CLAIM_TRIES, FOUND_TEXTS, type FoundViewer } from './found.ts'
import { requireNotice } from './notice.server.ts'

const answerSchema = textSchema(ANSWER_LIMIT, { long: FOUND_TEXTS.longAnswer, none: FOUND_TEXTS.answer })

function readAnswer(typed: unknown): string {
  const result = answerSchema.safeParse(typed)
  const problem = result.success ? result.data === '' && FOUND_TEXTS.answer : result.error.issues[0]!.message
  if (!result.success || problem) {
    const sentence = problem || FOUND_TEXTS.answer
    throw invalid(sentence, { answer: sentence })
  }
  return result.data
}

/**
 * Stores an owner's answer to the question of a notice of which they were notified. The site compares nothing: the finder reads it.
 * @throws AppError 403 for a banned member; 404 for who was not notified; 409 while one waits, after one was accepted and after three; 422
 */
export async function addClaim(
  db: Db,
  viewer: FoundViewer,
  noticeId: string,
  typed: unknown,
  now = Date.now(),
): Promise<{ id: string }> {
  const { userId } = viewer
  return transact(db, async (trx) => {
    const { notice, role } = await requireNotice(trx, viewer, noticeId, now)
    if (role !== 'owner' || userId === null) throw notFound(FOUND_TEXTS.gone)
    const answer = readAnswer(typed)
    await assertNotBanned(trx, userId, now)
    const before = await trx
      .selectFrom('found_claims')
      .select('state')
      .where('notice_id', '=', noticeId)
      .where('user_id', '=', userId)
      .execute()
    if (before.some(({ state }) => state === 'accepted')) throw new AppError(409, FOUND_TEXTS.accepted)
    if (before.some(({ state }) => state === 'open')) throw new AppError(409, FOUND_TEXTS.pending)
    if (before.length >= CLAIM_TRIES) throw new AppError(409, FOUND_TEXTS.tries)
    const id = randomUUID()
    await trx
      .insertInto('found_claims')
      .values({ id, notice_id: noticeId, user_id: userId, answer, state: 'open', created_at: now, decided_at: null })
      .execute()
    if (notice.member_id !== null) await notify(trx, 'found-claimed', { userId: notice.member_id, noticeId }, now)
    return { id }
  })
}

/**
 * A finder decides an answer; yes opens a conversation with its author. The site decides no ownership.
 * @returns the conversation of a yes
 * @throws AppError 403 with a block between both; 404 for everybody but the finder; 409 for one that is decided
 */
export async function decideClaim(
  db: Db,
  viewer: FoundViewer,
  noticeId: string,
  claim: { id: string; accept: boolean },
  now = Date.now(),
): Promise<{ threadId: string | null }> {
  return transact(db, async (trx) => {
    const selectClaim = trx
      .selectFrom('found_claims')
      .select(['user_id', 'state'])
      .where('id', '=', claim.id)
      .where('notice_id', '=', noticeId)
    const author = await selectClaim.executeTakeFirst()
    if (!author) throw notFound(FOUND_TEXTS.gone)
    const { notice, role } = await requireNotice(trx, viewer, noticeId, now)
    if (role !== 'finder') throw notFound(FOUND_TEXTS.gone)
    // A banned member may hold a finder's device.
    for (const id of [viewer.userId, notice.member_id]) if (id !== null) await assertNotBanned(trx, id, now)
    const row = await selectClaim.executeTakeFirst()
    if (!row) throw notFound(FOUND_TEXTS.gone)
    if (row.state !== 'open') throw new AppError(409, FOUND_TEXTS.decided)
    await trx
      .updateTable('found_claims')
      .set({ state: claim.accept ? 'accepted' : 'refused', decided_at: now })
      .where('id', '=', claim.id)
      .execute()
    if (!claim.accept) return { threadId: null }
    const finder = notice.member_id !== null ? { userId: notice.member_id } : { secretHash: notice.secret_hash! }
    const { id } = await openThread(trx, { foundId: noticeId, memberId: row.user_id, finder }, now)
    await notify(trx, 'found-believed', { userId: row.user_id, noticeId }, now)
    return { threadId: id }
  })
}
