import type { APIContext } from 'astro'
import { paths } from '#lib/paths.ts'
import { findCode } from '#lib/text/typed-code.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { endpoint, pathId, readJson, requireUser } from '#server/endpoint.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { lostCaseAnswer } from './answers.ts'
import { CODE_PATTERN } from './case-code.server.ts'
import { findOwnCase, saveLostCase } from './cases.server.ts'
import { endLostCase } from './end-case.server.ts'
import { LOST_TEXTS, type OwnLostCase } from './lost.ts'
import { endingInput, type LostInput, lostInput } from './lost-input.ts'
import { findDogByCode } from './open-cases.server.ts'

const CHANGES_PER_HOUR = 60
/** Cases that a member opens: each is on everybody's lists. */
const OPENED_PER_DAY = 5

const toAnswer = ({ id: _id, dog_id: _dog, province, ...lost }: OwnLostCase) => ({
  lost: { ...lost, province: province || null },
})

/** The limit of what a member changes about their lost dogs. @throws AppError 429 */
export const limitLostChanges = (userId: string) =>
  limit('lost-case', userId, CHANGES_PER_HOUR, HOUR_SECONDS, LOST_TEXTS.tooMany)

/** Saves the case within the limits. Rights are checked before the body is read and before anything counts. */
export async function saveWithinLimits(
  context: APIContext,
  dogId: string,
  readInput: () => Promise<LostInput>,
): Promise<OwnLostCase> {
  const { db } = context.locals
  const user = requireUser(context)
  const before = await findOwnCase(db, user, dogId)
  await limitLostChanges(user.id)
  const input = await readInput()
  await assertDiskSpace()
  const save = (mayOpen: boolean) => saveLostCase(db, user, dogId, input, Date.now(), { mayOpen })
  const opened = limitSuccessful('lost-opened', user.id, OPENED_PER_DAY, DAY_SECONDS, LOST_TEXTS.tooManyOpened)
  // A case that ends while the body arrives would otherwise be opened again without counting.
  const saved = await (before
    ? save(false)
    : opened(
        () => save(true),
        ({ isNew }) => isNew,
      ))
  return saved.case
}

/** `PUT /api/dogs/{id}/lost` `{since, zone | lat+lon, help, chip}`: its owner marks the dog as lost, or changes what is said. */
export const putLost = endpoint({ 200: lostCaseAnswer }, async (context) =>
  toAnswer(await saveWithinLimits(context, pathId(context), () => readJson(context, lostInput))),
)

/** `DELETE /api/dogs/{id}/lost` `{ending, thanks}`: ends the search. */
export const deleteLost = endpoint({ 204: null }, async (context) => {
  const dogId = pathId(context)
  const user = requireUser(context)
  await limitLostChanges(user.id)
  const { ending, thanks } = await readJson(context, endingInput)
  await endLostCase(context.locals.db, user, dogId, ending, { thanks })
  return new Response(null, { status: 204 })
})

/** `GET /p/{code}`: where a poster's short link leads; null after the end of its case. */
export async function findDogOfPoster({ params, locals }: APIContext): Promise<string | null> {
  const code = findCode(params.code ?? '', CODE_PATTERN, (piece) => piece.toLowerCase())
  const dog = code && (await findDogByCode(locals.db, code))
  return dog && paths.dog(dog)
}
