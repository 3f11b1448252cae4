import type { APIContext } from 'astro'
import { hasThreads } from '#features/contact/list.server.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { getOwn } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { readForm, requireUser, validate } from '#server/endpoint.ts'
import { redirect } from '#server/forms.ts'
import { confirmStillLost, findPrefill, findOwnCase } from '../cases.server.ts'
import { endLostCase, hasPastCase, isSearching } from '../end-case.server.ts'
import { limitLostChanges, saveWithinLimits } from '../lost.http.ts'
import { type LostInput, lostInput } from '../lost-input.ts'
import { LOST_TEXTS, type LostEnding } from '../lost.ts'
import {
  type HiddenSearchView,
  initialValues,
  type LostFormValues,
  type LostFormView,
  readLostForm,
  toLostInput,
} from './lost-form.ts'

const ENDINGS: Record<string, LostEnding> = { casa: 'home', otro: 'other' }
const readEnding = (word: string | null): LostEnding | null => (word === null ? null : (getOwn(ENDINGS, word) ?? null))
/** Errors that the page says; the others have pages of their own. */
const SAID = [403, 404, 422, 429, 507]
const lostFormAfter = (dogId: string, done: string) => `${lostPaths.lostForm(dogId)}?hecho=${done}`

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
    const ending = lost ? null : readEnding(done)
    const hasMessages = ending !== null && (await hasThreads(db, user.id))
    return { lost, values: initialValues(lost, prefill, Date.now()), errors: {}, done, ending, hasMessages }
  }
  const form = await readForm(context)
  const values = readLostForm(form)
  try {
    return redirect(await applyForm(context, dogId, form, values))
  } catch (error) {
    if (!(error instanceof AppError) || !SAID.includes(error.status)) throw error
    const problem = { errors: error.errors ?? { form: error.message }, done: null, ending: null, hasMessages: false }
    return { lost, values, ...problem }
  }
}

/** @returns where to go on */
async function applyForm(context: APIContext, dogId: string, form: FormData, values: LostFormValues): Promise<string> {
  const { db } = context.locals
  const user = requireUser(context)
  const action = String(form.get('accion') ?? '')
  if (action === 'sigue') {
    await limitLostChanges(user.id)
    await confirmStillLost(db, user, dogId)
    return lostFormAfter(dogId, 'sigue')
  }
  const ending = readEnding(action)
  if (ending) {
    await endWithinLimits(context, dogId, ending, form)
    return lostFormAfter(dogId, action)
  }
  await saveWithinLimits(context, dogId, async () => readInput(values))
  return lostFormAfter(dogId, 'guardado')
}

async function endWithinLimits(context: APIContext, dogId: string, ending: LostEnding, form: FormData): Promise<void> {
  const user = requireUser(context)
  await limitLostChanges(user.id)
  await endLostCase(context.locals.db, user, dogId, ending, { thanks: form.has('thanks') })
}

/**
 * Handles the same page of a dog that is hidden: its POST ends the case.
 * @returns the page's data, or the redirect; null for who has no case of it to end, nor has ended one
 * @throws AppError 401
 */
export async function handleHiddenSearch(
  context: APIContext,
  dogId: string,
): Promise<HiddenSearchView | Response | null> {
  const user = requireUser(context)
  const isOpen = await isSearching(context.locals.db, user.id, dogId)
  if (context.request.method !== 'POST') {
    const ending = isOpen ? null : readEnding(context.url.searchParams.get('hecho'))
    if (ending && !(await hasPastCase(context.locals.db, user.id, dogId))) return null
    return isOpen || ending ? { isOpen, ending, problem: null } : null
  }
  const form = await readForm(context)
  const action = String(form.get('accion') ?? '')
  const ending = readEnding(action)
  if (!isOpen || !ending) return isOpen ? { isOpen, ending: null, problem: LOST_TEXTS.hidden } : null
  try {
    await endWithinLimits(context, dogId, ending, form)
    return redirect(lostFormAfter(dogId, action))
  } catch (error) {
    if (!(error instanceof AppError) || !SAID.includes(error.status)) throw error
    return { isOpen, ending: null, problem: error.message }
  }
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
