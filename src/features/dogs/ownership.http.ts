import type { APIContext } from 'astro'
import { isForm, redirect } from '#features/auth/forms.http.ts'
import type { CurrentUser } from '#lib/current-user.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { isUuid } from '#lib/uuid.ts'
import { check, endpoint, pathId, readForm, readJson, requireUser } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { findDog } from './dog.server.ts'
import { answerSchema } from './ownership.ts'
import { answerOwnership, askOwnership, withdrawOwnership } from './ownership.server.ts'

const HOUR = 3600
/** Each rings somebody's bell: more than anybody has dogs to recognise, and about one dog only a few a day. */
const ASKS = 30
const ASKS_OF_ONE = 6
const ANSWERS = 300
const FORM_LIMIT = 4096

const nothing = () => new Response(null, { status: 204 })

/**
 * What a program calls and a form posts. A form's sender goes back to the dog's page, which shows how things stand and
 * says why it did not work; to sign in where they are nobody; to the page that says so where there is no dog.
 */
const deed = (act: (context: APIContext, user: CurrentUser, dogId: string) => Promise<void>) =>
  endpoint(async (context) => {
    const dogId = pathId(context)
    if (!isForm(context)) {
      await act(context, requireUser(context), dogId)
      return nothing()
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
    return redirect(dog ? paths.dogPeople(dog.path, status) : paths.dogById(dogId))
  })

/** `POST /api/dogs/{id}/ownership`; a form that holds `withdraw` takes it back. */
export const ask = deed(async (context, user, dogId) => {
  if (isForm(context) && (await readForm(context, FORM_LIMIT)).has('withdraw'))
    return withdrawOwnership(context.locals.db, user, dogId)
  await limit('ownership-ask', user.id, ASKS, HOUR)
  await limit('ownership-ask-one', `${user.id} ${dogId}`, ASKS_OF_ONE, 24 * HOUR)
  return askOwnership(context.locals.db, user, dogId)
})

/** `DELETE /api/dogs/{id}/ownership` */
export const withdraw = deed(({ locals }, user, dogId) => withdrawOwnership(locals.db, user, dogId))

/** `POST /api/dogs/{id}/ownership/{userId}` `{accept}` */
export const answer = deed(async (context, user, dogId) => {
  const { userId } = context.params
  if (!isUuid(userId)) throw notFound('Esa petición ya no existe.')
  const { accept } = isForm(context)
    ? check(answerSchema, Object.fromEntries(await readForm(context, FORM_LIMIT)))
    : await readJson(context, answerSchema)
  await limit('ownership-answer', user.id, ANSWERS, HOUR)
  return answerOwnership(context.locals.db, user, dogId, userId, accept)
})
