import type { CommentEvent } from '#features/live/live.ts'
import type { Comment, CommentPage } from './comments.ts'

// The same comment may arrive three times: with the page, in the answer to its author's request, and over the live
// stream, in any order. The thread shows it once.

/** A dog's comments as its page shows them, newest first. */
export interface CommentThread extends CommentPage {
  total: number
  /** Comments deleted while the page is open: events about them that arrive later are ignored. */
  removedIds: ReadonlySet<string>
}

export const startThread = (page: CommentPage, total: number): CommentThread => ({
  ...page,
  total,
  removedIds: new Set(),
})

const isNewer = (a: Comment, b: Comment) =>
  a.created_at > b.created_at || (a.created_at === b.created_at && a.id > b.id)

const isKnown = (thread: CommentThread, id: string) =>
  thread.removedIds.has(id) || thread.comments.some((comment) => comment.id === id)

/** The thread with this comment, in order. @param total the dog's comments with it, where the server has said so */
export function withComment(thread: CommentThread, comment: Comment, total?: number): CommentThread {
  const index = thread.comments.findIndex(({ id }) => id === comment.id)
  // The comment is shown again: now everyone sees it.
  if (index >= 0 && thread.comments[index]?.held && !comment.held)
    return { ...thread, comments: thread.comments.with(index, comment), total: total ?? thread.total + 1 }
  if (isKnown(thread, comment.id)) return { ...thread, total: total ?? thread.total }
  const place = thread.comments.findIndex((other) => isNewer(comment, other))
  const at = place < 0 ? thread.comments.length : place
  return { ...thread, comments: thread.comments.toSpliced(at, 0, comment), total: total ?? thread.total + 1 }
}

/** The thread without this comment. @param total the dog's remaining comments, where the server has said so */
export function withoutComment(thread: CommentThread, id: string, total?: number): CommentThread {
  const comments = thread.comments.filter((comment) => comment.id !== id)
  const removed = thread.comments.find((comment) => comment.id === id)
  const left = removed && !removed.held ? thread.total - 1 : thread.total
  return { ...thread, comments, total: total ?? left, removedIds: new Set(thread.removedIds).add(id) }
}

/** The thread with the next page of older comments. */
export const withOlderPage = (thread: CommentThread, page: CommentPage): CommentThread => ({
  ...thread,
  comments: [...thread.comments, ...page.comments.filter(({ id }) => !isKnown(thread, id))],
  nextCursor: page.nextCursor,
})

/** The thread with a newly loaded first page, after events were missed. Older pages stay. */
export function refreshThread(thread: CommentThread, page: CommentPage, total: number): CommentThread {
  const last = page.comments.at(-1)
  const older = page.nextCursor && last ? thread.comments.filter((comment) => isNewer(last, comment)) : []
  const comments = [...page.comments.filter(({ id }) => !thread.removedIds.has(id)), ...older]
  return { ...thread, comments, nextCursor: older.length > 0 ? thread.nextCursor : page.nextCursor, total }
}

/** The thread after an event of its dog. The event brings the server's total. */
export const applyCommentEvent = (thread: CommentThread, event: CommentEvent): CommentThread =>
  event.comment ? withComment(thread, event.comment, event.comments) : withoutComment(thread, event.id, event.comments)
