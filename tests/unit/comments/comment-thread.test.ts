import type { Comment } from '#features/comments/comments.ts'
import {
  applyCommentEvent,
  refreshThread,
  startThread,
  type CommentThread,
  withComment,
  withOlderPage,
  withoutComment,
} from '#features/comments/comment-thread.ts'
import { assert, suite } from '#tests/support/suites.ts'

const comment = (id: string, created_at: number): Comment => ({
  id,
  created_at,
  user_id: 'u',
  dog_id: 'd',
  content: id,
  alias: 'Ana',
  emoji: '🐶',
})
const [a, b, c] = [comment('a', 1), comment('b', 2), comment('c', 3)]
const page = (...comments: Comment[]) => ({ comments, nextCursor: null })
const added = (which: Comment, comments: number) =>
  ({ action: 'added', id: which.id, dog_id: 'd', comments, comment: which }) as const
const removed = (id: string, comments: number) => ({ action: 'removed', id, dog_id: 'd', comments }) as const
const shown = (now: CommentThread) => [now.comments.map(({ id }) => id).join(''), now.total]

const thread = suite('unit/comments/comment-thread')

thread('a comment of another member comes first, and the count is the server’s', () => {
  const now = applyCommentEvent(startThread(page(b, a), 2), added(c, 3))
  assert.equal(shown(now), ['cba', 3])
  assert.equal(shown(applyCommentEvent(now, removed('b', 2))), ['ca', 2])
})

thread('one’s own comment appears once, whether the response or the event comes first', () => {
  const start = startThread(page(a), 1)
  assert.equal(shown(applyCommentEvent(withComment(start, b), added(b, 2))), ['ba', 2])
  assert.equal(shown(withComment(applyCommentEvent(start, added(b, 2)), b)), ['ba', 2])
})

thread('a comment that the page was rendered with is not announced twice', () => {
  assert.equal(shown(applyCommentEvent(startThread(page(b, a), 2), added(b, 2))), ['ba', 2])
})

thread('a late comment is inserted in its position', () => {
  assert.equal(shown(applyCommentEvent(withComment(startThread(page(a), 1), c), added(b, 3))), ['cba', 3])
})

thread('a deleted comment stays away, and is subtracted once', () => {
  const gone = withoutComment(startThread(page(b, a), 2), 'b')
  assert.equal(shown(gone), ['a', 1])
  assert.equal(shown(applyCommentEvent(gone, removed('b', 1))), ['a', 1])
  assert.equal(shown(withoutComment(applyCommentEvent(startThread(page(b, a), 2), removed('b', 1)), 'b')), ['a', 1])
  assert.equal(shown(applyCommentEvent(gone, added(b, 2)))[0], 'a')
})

thread('older comments follow, none twice', () => {
  const now = withOlderPage({ ...startThread(page(c, b), 3), nextCursor: 'x' }, page(b, a))
  assert.equal([...shown(now), now.nextCursor], ['cba', 3, null])
})

thread('a restarted thread retains the older pages that were read', () => {
  const read = { ...startThread(page(b, a), 2), nextCursor: 'after-a' }
  const now = refreshThread(read, { comments: [c, b], nextCursor: 'after-b' }, 9)
  assert.equal([...shown(now), now.nextCursor], ['cba', 9, 'after-a'])
  assert.equal(shown(refreshThread(read, page(c), 1)), ['c', 1])
})
