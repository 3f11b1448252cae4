import type { CommentEvent } from '#features/live/live.ts'
import type { Comment, CommentPage } from './comments.ts'

// The same comment may be told three times: by the page, by the answer to who wrote it, and by the live stream, in any
// order. It stands in the talk once.

/** A dog's comments as its page shows them, newest first. */
export interface CommentThread extends CommentPage {
  total: number
  /** Taken back while the page stands: what is told of these comes too late. */
  removedIds: ReadonlySet<string>
}

export const startThread = (page: CommentPage, total: number): CommentThread => ({
  ...page,
  total,
  removedIds: new Set(),
})

const isNewer = (a: Comment, b: Comment) =>
  a.created_at > b.created_at || (a.created_at === b.created_at && a.id > b.id)

const isKnown = (talk: CommentThread, id: string) =>
  talk.removedIds.has(id) || talk.comments.some((comment) => comment.id === id)

/** With this comment, in its place. @param total how many there are with it, where that is known */
export function withComment(talk: CommentThread, comment: Comment, total?: number): CommentThread {
  const before = talk.comments.findIndex(({ id }) => id === comment.id)
  // Let out meanwhile: now everybody sees it.
  if (before >= 0 && talk.comments[before]!.held && !comment.held)
    return { ...talk, comments: talk.comments.with(before, comment), total: total ?? talk.total + 1 }
  if (isKnown(talk, comment.id)) return { ...talk, total: total ?? talk.total }
  const place = talk.comments.findIndex((other) => isNewer(comment, other))
  const at = place < 0 ? talk.comments.length : place
  // What only its author sees does not count.
  const counted = comment.held ? talk.total : talk.total + 1
  return { ...talk, comments: talk.comments.toSpliced(at, 0, comment), total: total ?? counted }
}

/** Without it. @param total how many are left, where that is known */
export function withoutComment(talk: CommentThread, id: string, total?: number): CommentThread {
  const comments = talk.comments.filter((comment) => comment.id !== id)
  const gone = talk.comments.find((comment) => comment.id === id)
  const left = gone && !gone.held ? talk.total - 1 : talk.total
  return { ...talk, comments, total: total ?? left, removedIds: new Set(talk.removedIds).add(id) }
}

/** With the page after the last comment. */
export const withOlderPage = (talk: CommentThread, page: CommentPage): CommentThread => ({
  ...talk,
  comments: [...talk.comments, ...page.comments.filter(({ id }) => !isKnown(talk, id))],
  nextCursor: page.nextCursor,
})

/** Begun anew, because what happened meanwhile is not to be had; older pages that were read stay. */
export function refreshThread(talk: CommentThread, page: CommentPage, total: number): CommentThread {
  const last = page.comments.at(-1)
  const older = page.nextCursor && last ? talk.comments.filter((comment) => isNewer(last, comment)) : []
  const comments = [...page.comments.filter(({ id }) => !talk.removedIds.has(id)), ...older]
  return { ...talk, comments, nextCursor: older.length > 0 ? talk.nextCursor : page.nextCursor, total }
}

/** What the stream tells of this dog. Its totals are the server's. */
export const applyCommentEvent = (talk: CommentThread, event: CommentEvent): CommentThread =>
  event.comment ? withComment(talk, event.comment, event.comments) : withoutComment(talk, event.id, event.comments)
