import {
  applyNotificationEvent,
  type Bell,
  bellLabel,
  EMPTY_BELL,
  isShownRead,
  notificationHref,
  endMarkRead,
  beginMarkRead,
  shownUnread,
} from '#features/notifications/bell/bell.ts'
import { $bell, receiveNotificationEvent, receiveNotifications } from '#features/notifications/bell/bell.store.ts'
import { badgeText, type Notification } from '#features/notifications/notifications.ts'
import { assert, suite } from '#tests/support/suites.ts'

const bell = suite('unit/notifications/bell')

const line = (id: string, created_at: number, fields: Partial<Notification> = {}): Notification => ({
  id,
  type: 'like',
  title: 'Nuevo like',
  content: 'A Ana le gusta Toby',
  dog_id: 'toby',
  is_read: false,
  created_at,
  path: '/beagle/toby',
  ...fields,
})
const two: Bell = { ...EMPTY_BELL, unread: 2, list: [line('b', 2), line('a', 1)] }
const ids = (b: Bell) => b.list!.map(({ id }) => id)
const read = (b: Bell) => b.list!.filter((l) => isShownRead(b, l)).map(({ id }) => id)

bell('the badge is capped at 99+ and never below 0', () => {
  assert.equal([0, 1, 99, 100, 4000, -3].map(badgeText), ['0', '1', '99', '99+', '99+', '0'])
  assert.is(shownUnread({ ...EMPTY_BELL, unread: 0, pendingReadIds: new Set(['a']) }), 0)
  assert.equal([0, 1, 99, 100].map(bellLabel), [
    'Notificaciones',
    'Notificaciones, 1 sin leer',
    'Notificaciones, 99 sin leer',
    'Notificaciones, más de 99 sin leer',
  ])
})

bell('a new notification comes first, an updated one moves up, a deleted one disappears', () => {
  const event = { unread: 3, notification: line('c', 3) }
  const came = applyNotificationEvent(two, event)
  assert.equal([ids(came), came.unread], [['c', 'b', 'a'], 3])
  assert.equal(applyNotificationEvent(came, event), came)
  assert.equal(ids(applyNotificationEvent(came, { unread: 3, notification: line('a', 4) })), ['a', 'c', 'b'])
  // Brought up to date without being news: it keeps its place.
  assert.equal(ids(applyNotificationEvent(came, { unread: 3, notification: line('a', 1, { is_read: true }) })), [
    'c',
    'b',
    'a',
  ])
  assert.equal(ids(applyNotificationEvent(came, { unread: 2, notification: null, gone: 'b' })), ['c', 'a'])
})

bell('has 50 notifications at most, and only a count before it is opened', () => {
  const full = { ...EMPTY_BELL, list: Array.from({ length: 50 }, (_, i) => line(`${i}`, 100 - i)) }
  const after = applyNotificationEvent(full, { unread: 51, notification: line('new', 200) })
  assert.equal([after.list!.length, after.list![0]!.id, after.list![49]!.id], [50, 'new', '48'])
  const closed = applyNotificationEvent(EMPTY_BELL, { unread: 7, notification: line('c', 3) })
  assert.equal([closed.unread, closed.list], [7, null])
})

bell('notifications read on another device are read here', () => {
  assert.equal(read(applyNotificationEvent(two, { unread: 1, notification: null, read: 'a' })), ['a'])
  assert.equal(read(applyNotificationEvent(two, { unread: 0, notification: null, read: 'all' })), ['b', 'a'])
})

bell('a notification is read at once, and the stream and the response count it once', () => {
  const wished = beginMarkRead(two, 'b')
  assert.equal([read(wished), shownUnread(wished)], [['b'], 1])
  const told = applyNotificationEvent(wished, { unread: 1, notification: null, read: 'b' })
  assert.equal([read(told), shownUnread(told)], [['b'], 1])
  const answered = endMarkRead(told, 'b', 1)
  assert.equal([read(answered), shownUnread(answered), answered.pendingReadIds.size], [['b'], 1, 0])
  assert.equal(shownUnread(endMarkRead(wished, 'b', 1)), 1)
})

bell('a failure makes it unread again', () => {
  const failed = endMarkRead(beginMarkRead(two, 'b'), 'b')
  assert.equal([read(failed), shownUnread(failed)], [[], 2])
  const all = beginMarkRead({ ...two, unread: 120 }, 'all')
  assert.equal([read(all), shownUnread(all)], [['b', 'a'], 0])
  const undone = endMarkRead(all, 'all')
  assert.equal([read(undone), shownUnread(undone)], [[], 120])
  assert.equal([read(endMarkRead(all, 'all', 0)), shownUnread(endMarkRead(all, 'all', 0))], [['b', 'a'], 0])
})

bell('notifications that come while all are marked as read stay unread', () => {
  const during = applyNotificationEvent(beginMarkRead(two, 'all'), { unread: 3, notification: line('c', 3) })
  assert.equal([read(during), shownUnread(during)], [['b', 'a'], 1])
  // The same dog's line is liked again while it is being marked.
  const again = applyNotificationEvent(beginMarkRead(two, 'a'), { unread: 2, notification: line('a', 5) })
  assert.equal([read(again), shownUnread(again)], [[], 2])
})

bell('a response older than the stream’s events loses no notification', async () => {
  $bell.set(EMPTY_BELL)
  const answer = Promise.withResolvers<{ notifications: Notification[]; unread: number }>()
  const received = receiveNotifications(() => answer.promise)
  receiveNotificationEvent({ unread: 2, notification: line('b', 2) })
  answer.resolve({ notifications: [line('a', 1)], unread: 1 })
  await received
  assert.equal([ids($bell.get()), $bell.get().unread], [['b', 'a'], 2])
})

bell('a comment links to the comments, another notification to the dog, one without a dog nowhere', () => {
  assert.is(notificationHref(line('a', 1, { type: 'comment' })), '/beagle/toby#comentarios')
  assert.is(notificationHref(line('a', 1)), '/beagle/toby')
  assert.is(notificationHref(line('a', 1, { type: 'other', path: null })), null)
})
