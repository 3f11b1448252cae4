import type { APIContext } from 'astro'
import { takeIntents } from '#features/auth/flash.http.ts'
import type { Intent } from '#features/auth/flash-cookie.ts'
import { commentAsMember } from '#features/comments/comments.http.ts'
import { dogNotFound, findDog } from '#features/dogs/dog.server.ts'
import { followAsMember, pageOf } from '#features/follows/follows.http.ts'
import { listFollows } from '#features/follows/list.server.ts'
import { likeAsMember } from '#features/likes/likes.http.ts'
import { AppError } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { paths } from '#lib/paths.ts'
import { claimIntent } from './claim-intent.server.ts'
import type { IntentOutcome } from './intent.ts'

type Context = Pick<APIContext, 'cookies' | 'locals' | 'request'>

/** Does what the member was about to do before they signed in, with the rights and limits of any request of theirs; a HEAD does nothing. */
export async function performIntents(context: Context): Promise<IntentOutcome[]> {
  const outcomes: IntentOutcome[] = []
  if (context.request.method !== 'GET') return outcomes
  for (const intent of takeIntents(context))
    if (await claimIntent(context.locals.db, intent.key)) outcomes.push(await perform(context, intent))
  return outcomes
}

async function perform(context: Context, intent: Intent): Promise<IntentOutcome> {
  try {
    return await (intent.act === 'like' || intent.act === 'comment'
      ? performOnDog(context, intent)
      : performFollow(context, { kind: intent.act, id: intent.id }))
  } catch (error) {
    if (error instanceof AppError) return { text: error.message, unpublished: intent.text }
    throw error
  }
}

async function performOnDog(context: Context, { act, id, text = '' }: Intent): Promise<IntentOutcome> {
  const dog = isUuid(id) ? await findDog(context.locals.db, id) : undefined
  if (!dog) throw dogNotFound()
  const back = (anchor = '') => ({ href: paths.dogById(id) + anchor, label: `Volver a ${dog.name}` })
  if (act === 'like') {
    await likeAsMember(context, id)
    return { text: `Te gusta ${dog.name}.`, back: back() }
  }
  if (text.trim() === '') return { text: `Ya puedes comentar a ${dog.name}.`, back: back('#comentarios') }
  await commentAsMember(context, id, text)
  return { text: `Tu comentario a ${dog.name} ya está publicado.`, back: back('#comentarios') }
}

async function performFollow(
  context: Context,
  requested: Parameters<typeof followAsMember>[1],
): Promise<IntentOutcome> {
  const { kind, id } = await followAsMember(context, requested)
  const { follows } = await listFollows(context.locals.db, context.locals.user!.id)
  const name = follows.find((followed) => followed.kind === kind && followed.id === id)?.name
  return {
    text: `Ya sigues ${kind === 'member' ? 'a ' : ''}${name ?? 'lo que querías'}.`,
    back: { href: pageOf({ kind, id }), label: kind === 'zone' ? 'Lo que sigues' : `Volver a ${name ?? 'su página'}` },
  }
}
