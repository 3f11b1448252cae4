import type { APIContext } from 'astro'
import { redirectWithTyped } from '#features/auth/flash.http.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { endpoint, pathId, readForm, readJson, requireUser, validate } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { isForm, readTyped, redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { opinionsAnswer } from './answers.ts'
import { joinTyped, toNotice } from './opinion-notices.ts'
import { opinionInput, requestInput } from './opinions.ts'
import { giveOpinion, setOpinionsAsked, withdrawOpinion } from './opinions.server.ts'
import { findDogPath, readAgreement } from './tally.server.ts'
import { opinionPaths } from './opinion-paths.ts'

const OPINIONS_PER_HOUR = 60
/** The question of a dog is opened and closed: each change renders its page anew. */
const REQUESTS_PER_HOUR = 30
/** A reason of 4 kB, encoded. */
const FORM_MAX_BYTES = 16 * 1024

async function act(context: APIContext, dogId: string, onForm?: (form: FormData) => void): Promise<void> {
  const user = requireUser(context)
  const { db } = context.locals
  const form = isForm(context) ? await readForm(context, FORM_MAX_BYTES) : undefined
  if (form) onForm?.(form)
  if (form?.has('withdraw')) return withdrawOpinion(db, user, dogId)
  const input = form ? validate(opinionInput, Object.fromEntries(form)) : await readJson(context, opinionInput)
  await limit('opinion-give', user.id, OPINIONS_PER_HOUR, HOUR_SECONDS)
  await giveOpinion(db, user, dogId, input)
}

/**
 * `POST /api/dogs/{id}/opinions` `{breed, reason?}`: what breed the member thinks that the dog is, in place of what they thought before. A form
 * is redirected to the dog's opinions, with the outcome in the address, and with `withdraw` takes the opinion back.
 */
export const createOpinion = endpoint({ 200: opinionsAnswer, 303: null }, async (context) => {
  const dogId = pathId(context)
  if (!isForm(context)) {
    await act(context, dogId)
    return readAgreement(context.locals.db, dogId)
  }
  let typed: Record<string, string> = {}
  try {
    await act(context, dogId, (form) => (typed = readTyped(form)))
    return redirect(`${opinionPaths.list(dogId)}#opinion`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.status === 401) return redirect(paths.login)
    const to = `${opinionPaths.list(dogId, { aviso: toNotice(error) })}#opinion`
    if (error.status !== 422 && error.status !== 429) return redirect(to)
    // A reason of 200 characters is not written twice.
    return redirectWithTyped(context, to, joinTyped(typed.breed ?? '', typed.reason ?? ''))
  }
})

/** `DELETE /api/dogs/{id}/opinions`: takes the member's own opinion back. */
export const removeOpinion = endpoint({ 204: null }, async (context) => {
  await withdrawOpinion(context.locals.db, requireUser(context), pathId(context))
  return new Response(null, { status: 204 })
})

/**
 * `POST /api/dogs/{id}/opinions/request` `{asked}`: opens or closes the question, by the dog's owner, or its discoverer where it has none. A
 * form is redirected to the dog's page, with the error's status in the address.
 */
export const setRequest = formEndpoint({
  answers: { 204: null },
  who: requireUser,
  input: requestInput,
  async save(context, user, { asked }) {
    await limit('opinion-request', user.id, REQUESTS_PER_HOUR, HOUR_SECONDS)
    await setOpinionsAsked(context.locals.db, user, pathId(context), asked)
  },
  done: async (context) => (await pathOfDog(context)) ?? paths.dogById(pathId(context)),
  refused: (context, { status }) => pathOfDog(context, status),
})

/** The dog's page, with the status of an error; undefined where there is no dog. */
async function pathOfDog(context: APIContext, status?: number): Promise<string | undefined> {
  const dogPath = await findDogPath(context.locals.db, pathId(context))
  return dogPath && opinionPaths.ofDog(dogPath, status)
}
