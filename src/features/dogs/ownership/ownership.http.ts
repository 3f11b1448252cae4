import type { APIContext } from 'astro'
import { isForm, redirect } from '#server/forms.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { isUuid } from '#lib/identifiers.ts'
import { validate, endpoint, pathId, readForm, readJson, requireUser } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { findDog } from '#features/dogs/dog.server.ts'
import { answerSchema } from './ownership.ts'
import { answerOwnershipRequest, requestOwnership, withdrawOwnershipRequest } from './ownership.server.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'

/** Each request notifies a member: a generous limit overall, a small one per dog. */
const REQUESTS_PER_HOUR = 30
const REQUESTS_PER_DOG_PER_DAY = 6
const ANSWERS_PER_HOUR = 300
const FORM_MAX_BYTES = 4096

/** The owners' part of a dog's page, with «Es mi perro» and its answers. @param status the error of the last attempt */
const ownershipPath = (dogPath: string, status?: number) => `${dogPath}${status ? `?propiedad=${status}` : ''}#personas`

const noContent = () => new Response(null, { status: 204 })

/**
 * An endpoint for API clients (204) and forms without script. A form is redirected to the dog's page, with the error's
 * status in the address; to sign-in without a session; to the not-found page where there is no dog.
 */
const ownershipEndpoint = (act: (context: APIContext, user: CurrentUser, dogId: string) => Promise<void>) =>
  endpoint({ 204: null, 303: null }, async (context) => {
    const dogId = pathId(context)
    if (!isForm(context)) {
      await act(context, requireUser(context), dogId)
      return noContent()
    }
    let status: number | undefined
    try {
      await act(context, requireUser(context), dogId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.status === 401) return redirect(paths.login)
      status = error.status
    }
    const dog = await findDog(context.locals.db, dogId)
    return redirect(dog ? ownershipPath(dog.path, status) : paths.dogById(dogId))
  })

/** `POST /api/dogs/{id}/ownership`; a form with `withdraw` withdraws the request. */
export const createOwnershipRequest = ownershipEndpoint(async (context, user, dogId) => {
  if (isForm(context) && (await readForm(context, FORM_MAX_BYTES)).has('withdraw'))
    return withdrawOwnershipRequest(context.locals.db, user, dogId)
  await limit('ownership-ask', user.id, REQUESTS_PER_HOUR, HOUR_SECONDS)
  await limit('ownership-ask-one', `${user.id} ${dogId}`, REQUESTS_PER_DOG_PER_DAY, DAY_SECONDS)
  return requestOwnership(context.locals.db, user, dogId)
})

/** `DELETE /api/dogs/{id}/ownership` */
export const withdrawRequest = ownershipEndpoint(({ locals }, user, dogId) =>
  withdrawOwnershipRequest(locals.db, user, dogId),
)

/** `POST /api/dogs/{id}/ownership/{userId}` `{accept}` */
export const answerRequest = ownershipEndpoint(async (context, user, dogId) => {
  const { userId } = context.params
  if (!isUuid(userId)) throw notFound('Esa petición ya no existe.')
  const { accept } = isForm(context)
    ? validate(answerSchema, Object.fromEntries(await readForm(context, FORM_MAX_BYTES)))
    : await readJson(context, answerSchema)
  await limit('ownership-answer', user.id, ANSWERS_PER_HOUR, HOUR_SECONDS)
  return answerOwnershipRequest(context.locals.db, user, dogId, userId, accept)
})
