import type { APIContext } from 'astro'
import { hasThreads } from '#features/contact/list.server.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { readForm, requireUser, validate } from '#server/endpoint.ts'
import { redirect } from '#server/forms.ts'
import { confirmStillLost, findPrefill, findOwnCase } from '../cases.server.ts'
import { endLostCase } from '../end-case.server.ts'
import { limitLostChanges, saveWithinLimits } from '../lost.http.ts'
import { type LostInput, lostInput } from '../lost-input.ts'
import { LOST_TEXTS, type LostEnding } from '../lost.ts'
import { initialValues, type LostFormValues, type LostFormView, readLostForm, toLostInput } from './lost-form.ts'

const ENDINGS: Record<string, LostEnding> = { casa: 'home', otro: 'other' }

/**
 * Handles the owner's page: its POST saves, confirms or ends the case, and leads on to the page without the form.
 * @returns the page's data, or the redirect
 * @throws AppError 401; 403 for others than the owner; 404
 */
export async function handleLostForm(context: APIContext, dogId: string): Promise<LostFormView | Response> {
  const { db } = context.locals
  const user = requireUser(context)
  const lost = await findOwnCase(db, user, dogId)
  const done = context.url.searchParams.get('hecho')
  if (context.request.method !== 'POST') {
    const prefill = lost ? null : await findPrefill(db, user.id, dogId)
    const ending = lost || done === null || !Object.hasOwn(ENDINGS, done) ? null : ENDINGS[done]!
    const hasMessages = ending !== null && (await hasThreads(db, user.id))
    return { lost, values: initialValues(lost, prefill, Date.now()), errors: {}, done, ending, hasMessages }
  }
  const form = await readForm(context)
  const values = readLostForm(form)
  try {
    return redirect(await applyForm(context, dogId, form, values))
  } catch (error) {
    if (!(error instanceof AppError) || ![403, 404, 422, 429, 507].includes(error.status)) throw error
    const problem = { errors: error.errors ?? { form: error.message }, done: null, ending: null, hasMessages: false }
    return { lost, values, ...problem }
  }
}

/** @returns where to go on */
async function applyForm(context: APIContext, dogId: string, form: FormData, values: LostFormValues): Promise<string> {
  const { db } = context.locals
  const user = requireUser(context)
  const action = String(form.get('accion') ?? '')
  const to = (done: string) => `${lostPaths.lostForm(dogId)}?hecho=${done}`
  if (action === 'sigue') {
    await limitLostChanges(user.id)
    await confirmStillLost(db, user, dogId)
    return to('sigue')
  }
  const ending = Object.hasOwn(ENDINGS, action) ? ENDINGS[action] : undefined
  if (ending) {
    await limitLostChanges(user.id)
    await endLostCase(db, user, dogId, ending, { thanks: form.has('thanks') })
    return to(action)
  }
  await saveWithinLimits(context, dogId, async () => readInput(values))
  return to('guardado')
}

/** @throws AppError 422 with the sentences of all fields that are wrong or empty, the place too */
function readInput(values: LostFormValues): LostInput {
  const input = toLostInput(values)
  try {
    return validate(lostInput, input)
  } catch (error) {
    const isPlaceless = input.zone.trim() === '' && input.lat === null && input.lon === null
    if (!(error instanceof AppError) || !error.errors || !isPlaceless) throw error
    throw invalid(error.message, { ...error.errors, zone: LOST_TEXTS.place })
  }
}
