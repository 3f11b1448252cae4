import { paths } from '#lib/paths.ts'
import type { Comment, CommentPage } from './comments.ts'

/** @throws Error with a sentence to show: the server's own where it has one */
async function requestJson(url: string, init: RequestInit = {}): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, { ...init, headers: { Accept: 'application/json', ...init.headers } })
  } catch {
    throw new Error('No se pudo conectar con el servidor.')
  }
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  throw new Error(typeof detail === 'string' ? detail : 'Error inesperado. Intenta de nuevo.')
}

export async function sendComment(dogId: string, content: string): Promise<Comment> {
  const body = JSON.stringify({ content })
  const headers = { 'Content-Type': 'application/json' }
  return ((await requestJson(paths.api.dogComments(dogId), { method: 'POST', body, headers })) as { comment: Comment })
    .comment
}

export const removeComment = (id: string): Promise<unknown> => requestJson(paths.api.comment(id), { method: 'DELETE' })

export const loadOlderComments = async (dogId: string, cursor: string): Promise<CommentPage> =>
  (await requestJson(`${paths.api.dogComments(dogId)}?cursor=${cursor}`)) as CommentPage

/** The newest comments and how many there are. */
export async function loadNewestComments(dogId: string): Promise<{ page: CommentPage; total: number }> {
  const [page, { dog }] = await Promise.all([
    requestJson(paths.api.dogComments(dogId)) as Promise<CommentPage>,
    requestJson(paths.api.dog(dogId)) as Promise<{ dog: { comments: number } }>,
  ])
  return { page, total: dog.comments }
}
