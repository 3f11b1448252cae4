import type { APIContext } from 'astro'
import { AppError, notFound } from '#lib/errors.ts'
import { getOwn, isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { readForm } from '#server/endpoint.ts'
import { readTyped, redirect } from '#server/forms.ts'
import { getSightableCase } from './add.server.ts'
import { sightingSender } from './device-secret.http.ts'
import { listSightings } from './list.server.ts'
import { listSightingMarks } from './marks.server.ts'
import { listOwnSightings } from './own-sightings.server.ts'
import { judge, limitJudgements, readOwnerAction, receiveSighting, withdrawOwnSighting } from './sightings.http.ts'
import { findSightedDog, type SightedDog } from './sighted-dog.server.ts'
import {
  MAIL_FIELD,
  type OwnSighting,
  type Sighting,
  SIGHTING_TEXTS,
  type SightingMarks,
  WITHDRAWN_FIELD,
} from './sightings.ts'
import { openOwnThread, openSenderThread } from './write-to-sender.server.ts'

export interface SightingPage {
  status: number
  dog: SightedDog | null
  isSent: boolean
  /** One of the viewer's own has just been withdrawn. */
  isWithdrawn: boolean
  /** What the viewer has sent of the dog. */
  own: readonly OwnSighting[]
  /** Why the form was refused, or cannot be sent. */
  problem: string | null
  errors: Readonly<Record<string, string>>
  /** What was written in a refused form, by the fields' names. */
  typed: Readonly<Record<string, string>>
}

/** The page of the form: takes the plain form itself, whose typed texts stay out of addresses. @returns a response after a sent form */
export async function handleSightingPage(context: APIContext): Promise<SightingPage | Response> {
  const { db, user } = context.locals
  const id = context.params.dogId
  const row = isUuid(id) ? await findSightedDog(db, id) : undefined
  const { searchParams } = context.url
  const done = searchParams.get('hecho')
  const sender = { own: [], isSent: done === 'enviado', isWithdrawn: done === 'retirado' }
  const page = { ...sender, problem: null, errors: {}, typed: {} }
  if (!row) return { ...page, status: 404, dog: null }
  const { caseId, ...dog } = row
  const own = await listOwnSightings(db, dog.id, sightingSender(context, dog.id))
  const view = { ...page, own, dog: { ...dog, isLost: caseId !== null } }
  const withdrawn = searchParams.get(WITHDRAWN_FIELD) ?? undefined
  if (context.request.method === 'POST' && isUuid(withdrawn)) return withdraw(context, view, withdrawn)
  if (context.request.method === 'POST' && searchParams.has(MAIL_FIELD)) return askForMail(context, view)
  let typed = {}
  try {
    if (context.request.method !== 'POST') {
      if (caseId !== null) await getSightableCase(db, dog.id, user?.id ?? null)
      return { ...view, status: 200 }
    }
    await receiveSighting(context, dog.id, (form) => (typed = readTyped(form)))
    return redirect(`${lostPaths.sightingForm(dog.id)}?hecho=enviado`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, message, errors = {} } = error
    if (status === 404) return { ...view, dog: null, status }
    // A dog that was found meanwhile: the page says so.
    if (status === 409) return { ...view, status, dog: { ...view.dog, isLost: false } }
    return { ...view, status, problem: message, errors, typed }
  }
}

/** «Retirar». @returns the page with why not, where it was not done */
async function withdraw(
  context: APIContext,
  view: Omit<SightingPage, 'status' | 'dog'> & { dog: SightedDog },
  id: string,
): Promise<SightingPage | Response> {
  try {
    await withdrawOwnSighting(context, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...view, status: error.status, problem: error.message }
  }
  return redirect(`${lostPaths.sightingForm(view.dog.id)}?hecho=retirado`)
}

/** «Avísame por correo»: leads to the conversation, where the address is asked for and confirmed. @returns the page with why not */
async function askForMail(
  context: APIContext,
  view: Omit<SightingPage, 'status' | 'dog'> & { dog: SightedDog },
): Promise<SightingPage | Response> {
  const { secretHash } = sightingSender(context, view.dog.id)
  try {
    if (secretHash === null) throw notFound(SIGHTING_TEXTS.gone)
    const { id } = await openOwnThread(context.locals.db, view.dog.id, secretHash)
    return redirect(`${lostPaths.messages(id)}#avisos`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...view, status: error.status, problem: error.message }
  }
}

export interface OwnerPage {
  status: number
  dog: SightedDog | null
  sightings: readonly Sighting[]
  nextCursor: string | null
  /** Null where there is nothing to show. */
  marks: SightingMarks | null
  problem: string | null
  /** What the last form has done, in a sentence. */
  done: string | null
}

/** The word of the address for each judgement. */
const DONE_WORDS = { refuse: 'descartado', keep: 'recuperado', report: 'denunciado' } as const

/** What a judgement has done, by the word of the address. */
const JUDGED: Record<string, string> = {
  descartado: 'Avistamiento descartado: ya no cuenta. Si cambias de idea, recupéralo.',
  recuperado: 'Avistamiento recuperado: vuelve a contar.',
  denunciado: 'Avistamiento denunciado. Gracias por avisar: lo revisaremos.',
}

/** The owner's page of sightings, which takes its forms itself. @returns a response after a form, or for a visitor */
export async function handleOwnerPage(context: APIContext): Promise<OwnerPage | Response> {
  const { db, user } = context.locals
  if (!user) return redirect(paths.login)
  const id = context.params.dogId
  const dog = isUuid(id) ? await findSightedDog(db, id) : undefined
  const nothing = { dog: null, sightings: [], nextCursor: null, marks: null, done: null }
  if (!dog) return { ...nothing, status: 404, problem: null }
  try {
    if (context.request.method === 'POST') {
      const form = await readForm(context)
      const sighting = form.get('id')
      await limitJudgements(user.id)
      if (form.get('action') === 'write' && typeof sighting === 'string' && isUuid(sighting))
        return redirect(lostPaths.messages((await openSenderThread(db, user, sighting)).id))
      if (typeof sighting !== 'string' || !isUuid(sighting)) return redirect(lostPaths.sightings(dog.id))
      const action = readOwnerAction(form)
      await judge(context, user, sighting, action)
      return redirect(`${lostPaths.sightings(dog.id)}?${new URLSearchParams({ hecho: DONE_WORDS[action] })}#hecho`)
    }
    const cursor = context.url.searchParams.get('cursor') || undefined
    const { caseId, ...rest } = dog
    return {
      dog: { ...rest, isLost: caseId !== null },
      ...(await listSightings(db, user, dog.id, { cursor })),
      marks: await listSightingMarks(db, user, dog.id),
      status: 200,
      problem: null,
      done: getOwn(JUDGED, context.url.searchParams.get('hecho')) ?? null,
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 401) throw error
    return { ...nothing, status: error.status, problem: error.message }
  }
}
