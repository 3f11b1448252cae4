import type { APIContext } from 'astro'
import { notFound } from '#lib/errors.ts'
import { getOwn, isUuid } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { readForm } from '#server/endpoint.ts'
import { orRefusal, type PageState, takePost, unlessSignedOut, UNSENT } from '#server/form-endpoint.ts'
import { redirect } from '#server/forms.ts'
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

export interface SightingPage extends PageState {
  dog: SightedDog | null
  isSent: boolean
  /** One of the viewer's own has just been withdrawn. */
  isWithdrawn: boolean
  /** What the viewer has sent of the dog. */
  own: readonly OwnSighting[]
}

/** The page of the form: takes the plain form itself, whose typed texts stay out of addresses. @returns a response after a sent form */
export async function handleSightingPage(context: APIContext): Promise<SightingPage | Response> {
  const { db, user } = context.locals
  const id = context.params.dogId
  const row = isUuid(id) ? await findSightedDog(db, id) : undefined
  const { searchParams } = context.url
  const done = searchParams.get('hecho')
  const page = { ...UNSENT, own: [], isSent: done === 'enviado', isWithdrawn: done === 'retirado' }
  if (!row) return { ...page, status: 404, dog: null }
  const { caseId, ...dog } = row
  const own = await listOwnSightings(db, dog.id, sightingSender(context, dog.id))
  const view = { ...page, own, dog: { ...dog, isLost: caseId !== null } }
  const actOnOwn = readOwnAction(context, dog.id)
  if (actOnOwn) {
    const acted = await takePost(context, actOnOwn)
    return acted instanceof Response ? acted : { ...view, ...acted }
  }
  const sent = await takePost(context, async (remember) => {
    await receiveSighting(context, dog.id, remember)
    return redirect(`${lostPaths.sightingForm(dog.id)}?hecho=enviado`)
  })
  if (sent instanceof Response) return sent
  const refusal =
    sent ?? (caseId === null ? null : await orRefusal(() => getSightableCase(db, dog.id, user?.id ?? null)))
  if (refusal === null || !('problem' in refusal)) return view
  const { status } = refusal
  if (status === 404) return { ...view, dog: null, status }
  // A dog that was found meanwhile: the page says so.
  if (status === 409) return { ...view, status, dog: { ...view.dog, isLost: false } }
  return { ...view, ...refusal }
}

/** What a form about the sender's own sightings asks for: «Retirar», or «Avísame por correo», which leads to the conversation. */
function readOwnAction(context: APIContext, dogId: string): (() => Promise<Response>) | null {
  const { method } = context.request
  const { searchParams } = context.url
  const withdrawn = searchParams.get(WITHDRAWN_FIELD) ?? undefined
  if (method !== 'POST') return null
  if (isUuid(withdrawn))
    return async () => {
      await withdrawOwnSighting(context, withdrawn)
      return redirect(`${lostPaths.sightingForm(dogId)}?hecho=retirado`)
    }
  if (!searchParams.has(MAIL_FIELD)) return null
  return async () => {
    const { secretHash } = sightingSender(context, dogId)
    if (secretHash === null) throw notFound(SIGHTING_TEXTS.gone)
    const { id } = await openOwnThread(context.locals.db, dogId, secretHash)
    return redirect(`${lostPaths.messages(id)}#avisos`)
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
  const acted = await takePost(context, () => judgeByForm(context, user, dog.id), unlessSignedOut)
  if (acted instanceof Response) return acted
  const view =
    acted ??
    (await orRefusal(
      async () => ({
        ...(await listSightings(db, user, dog.id, { cursor: context.url.searchParams.get('cursor') || undefined })),
        marks: await listSightingMarks(db, user, dog.id),
      }),
      unlessSignedOut,
    ))
  if ('problem' in view) return { ...nothing, status: view.status, problem: view.problem }
  const { caseId, ...rest } = dog
  const done = getOwn(JUDGED, context.url.searchParams.get('hecho')) ?? null
  return { ...view, dog: { ...rest, isLost: caseId !== null }, status: 200, problem: null, done }
}

/** What a form of the owner's page asks for. @throws AppError */
async function judgeByForm(context: APIContext, user: { id: string }, dogId: string): Promise<Response> {
  const form = await readForm(context)
  const sighting = form.get('id')
  await limitJudgements(user.id)
  if (typeof sighting !== 'string' || !isUuid(sighting)) return redirect(lostPaths.sightings(dogId))
  if (form.get('action') === 'write')
    return redirect(lostPaths.messages((await openSenderThread(context.locals.db, user, sighting)).id))
  const action = readOwnerAction(form)
  await judge(context, user, sighting, action)
  return redirect(`${lostPaths.sightings(dogId)}?${new URLSearchParams({ hecho: DONE_WORDS[action] })}#hecho`)
}
