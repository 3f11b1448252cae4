import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertNotBlocked } from '#features/moderation/visibility.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { deleteNotifications, notify } from '#features/notifications/notify.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { AppError, forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { MAX_OPINIONS, OPINION_TEXTS, type OpinionInput, reasonProblem, tidyReason } from './opinions.ts'
import { removeOpinions } from './hidden-opinions.server.ts'
import { opinionPaths } from './opinion-paths.ts'
import { countOpinions } from './tally.server.ts'

/** The columns of a dog that say whose question it is. */
export interface AskedDog {
  id: string
  owner_id: string | null
  discoverer_id: string | null
}

/** Who asks, and decides: the owner, or the discoverer where there is no owner. */
export const deciderOf = (dog: Pick<AskedDog, 'owner_id' | 'discoverer_id'>): string | null =>
  dog.owner_id ?? dog.discoverer_id

/** @throws AppError 404 */
async function getAskedDog(trx: Trx, id: string): Promise<AskedDog & { user_id: string | null }> {
  const dog = await trx
    .selectFrom('dogs')
    .select(['id', 'owner_id', 'discoverer_id', 'user_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!dog) throw notFound('El perro que buscas no existe o ha sido eliminado.')
  return dog
}

const findRequest = (db: Db, dogId: string) =>
  db.selectFrom('opinion_requests').select('closed_at').where('dog_id', '=', dogId).executeTakeFirst()

/** The slug of the breed that a text names. @throws AppError 422 where it names none */
async function resolveBreed(db: Db, breed: string): Promise<string> {
  const found = await lookUpBreed(db, breed)
  if ('found' in found) return found.found
  if ('moved' in found) return found.moved
  throw invalid(OPINION_TEXTS.unknownBreed, { breed: OPINION_TEXTS.unknownBreed })
}

/** The reason as it is stored. @throws AppError 422 where it is too long, or reads like an offer of sale or a slur */
function readReason(text: string): string {
  const reason = tidyReason(text)
  const problem = reasonProblem(reason) ?? (findTextFlag(reason) ? OPINION_TEXTS.unfit : null)
  if (problem) throw invalid(problem, { reason: problem })
  return reason
}

/**
 * Stores what breed the member thinks that the dog is, in place of what they thought before. It changes nothing of the dog.
 * @throws AppError 401; 422; 403 for a banned member, one with a block with the dog's owner or discoverer, and the dog's own people; 404;
 *   409 where nobody asks, or too many have answered
 */
export async function giveOpinion(
  db: Db,
  user: Requester,
  dogId: string,
  input: OpinionInput,
  now = Date.now(),
): Promise<void> {
  if (!user) throw unauthenticated()
  const reason = readReason(input.reason ?? '')
  const breed_slug = await resolveBreed(db, input.breed)
  await transact(db, async (trx) => {
    await assertNotBanned(trx, user.id, now)
    const dog = await getAskedDog(trx, dogId)
    await assertNotBlocked(trx, user.id, [dog.owner_id, dog.discoverer_id])
    if ([dog.owner_id, dog.discoverer_id, dog.user_id].includes(user.id)) throw forbidden(OPINION_TEXTS.ownDog)
    const request = await findRequest(trx, dogId)
    const deciderId = deciderOf(dog)
    if (!request || request.closed_at !== null || deciderId === null) throw new AppError(409, OPINION_TEXTS.notAsked)
    const isReplaced = await deleteOpinion(trx, dogId, user.id)
    if (!isReplaced && (await countOpinions(trx, dogId)) >= MAX_OPINIONS) throw new AppError(409, OPINION_TEXTS.full)
    await trx
      .insertInto('breed_opinions_all')
      .values({ id: randomUUID(), dog_id: dogId, user_id: user.id, breed_slug, reason, created_at: now })
      .execute()
    const link = opinionPaths.list(dogId)
    if (!isReplaced) await notify(trx, 'opinions', { userId: deciderId, dogId, link }, now)
  })
}

/** Takes the member's own opinion back; it is done also where there is none. @throws AppError 401 */
export async function withdrawOpinion(db: Db, user: Requester, dogId: string): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, (trx) => deleteOpinion(trx, dogId, user.id))
}

/** Deletes the member's opinion, also one that is hidden, with what quotes it. @returns whether there was one */
async function deleteOpinion(trx: Trx, dogId: string, userId: string): Promise<boolean> {
  const own = trx
    .selectFrom('breed_opinions_all')
    .select('id')
    .where('dog_id', '=', dogId)
    .where('user_id', '=', userId)
  const count = await removeOpinions(
    trx,
    (await own.execute()).map(({ id }) => id),
  )
  return count > 0
}

/**
 * Opens or closes the question. What was said before it closed is there again where it is opened within 30 days.
 * @throws AppError 401; 404; 403 for others than who decides, and for banned members, who may close only
 */
export async function setOpinionsAsked(
  db: Db,
  user: Requester,
  dogId: string,
  isAsked: boolean,
  now = Date.now(),
): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    if (isAsked) await assertNotBanned(trx, user.id, now)
    const dog = await getAskedDog(trx, dogId)
    if (deciderOf(dog) !== user.id) throw forbidden(OPINION_TEXTS.notYours)
    if (isAsked)
      await trx
        .insertInto('opinion_requests')
        .values({ dog_id: dogId, asked_at: now, closed_at: null })
        .onConflict((conflict) => conflict.column('dog_id').doUpdateSet({ closed_at: null }))
        .execute()
    else {
      await trx
        .updateTable('opinion_requests')
        .set({ closed_at: now })
        .where('dog_id', '=', dogId)
        .where('closed_at', 'is', null)
        .execute()
      await deleteNotifications(trx, 'opinions', { userId: user.id, dogId })
    }
  })
}
