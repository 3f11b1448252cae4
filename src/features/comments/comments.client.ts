import { atom } from 'nanostores'
import type { CommentEvent } from '#features/live/live.ts'
import { randomId } from '#lib/identifiers.ts'
import { paths } from '#lib/paths.ts'
import type { AddedComment, Comment, CommentPage } from './comments.ts'

/** Events of the page's dog since the page was rendered, in order; 'resync' where some are missing. */
export const $commentEvents = atom<readonly (CommentEvent | 'resync')[]>([])

/** @throws Error with a message to show: the `detail` of the answer's problem+json where there is one */
async function requestJson<T>(url: string, init: RequestInit = {}): Promise<T> {
  let response: Response
  try {
    response = await fetch(url, { ...init, headers: { Accept: 'application/json', ...init.headers } })
  } catch {
    throw new Error('No se pudo conectar con el servidor.')
  }
  const body: unknown = await response.json().catch(() => null)
  // The server's answers are tested against their schemas.
  if (response.ok) return body as T
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  throw new Error(typeof detail === 'string' ? detail : 'Error inesperado. Intenta de nuevo.')
}

/** The comment that has no answer yet, with its idempotency key: sent again, it is stored once. */
let pending: { body: string; key: string } | undefined

/** @param member whose page it was typed on: in another tab somebody else may have signed in since */
export async function sendComment(dogId: string, content: string, member: string | undefined): Promise<Comment> {
  const body = JSON.stringify({ content, member })
  if (pending?.body !== body) pending = { body, key: randomId() }
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': pending.key }
  const { comment } = await requestJson<AddedComment>(paths.api.dogComments(dogId), { method: 'POST', body, headers })
  pending = undefined
  return comment
}

export const removeComment = (id: string): Promise<unknown> => requestJson(paths.api.comment(id), { method: 'DELETE' })

export const loadOlderComments = (dogId: string, cursor: string): Promise<CommentPage> =>
  requestJson(`${paths.api.dogComments(dogId)}?cursor=${cursor}`)

/** The newest comments and how many there are. */
export async function loadNewestComments(dogId: string): Promise<{ page: CommentPage; total: number }> {
  const [page, { dog }] = await Promise.all([
    requestJson<CommentPage>(paths.api.dogComments(dogId)),
    requestJson<{ dog: { comments: number } }>(paths.api.dog(dogId)),
  ])
  return { page, total: dog.comments }
}
