import { Bell, Heart, MessageCircle } from 'lucide-react'
import { useRef } from 'react'
import { formatDate, formatRelative } from '#lib/dates.ts'
import { MEMORIES_API, notificationHref, STOP_MEMORIES, TYPE_NAMES } from './bell.ts'
import type { Notification } from '#features/notifications/notifications.ts'

const ICONS = { comment: MessageCircle, like: Heart, other: Bell }

interface Props {
  notification: Notification
  isRead: boolean
  /** It came while the list was open. */
  isNew: boolean
  now: number
  onRead: () => void
  onFollow: () => void
}

/** One notification of the panel. Following it marks it read; so does its dot. */
export function NotificationItem({ notification, isRead, isNew, now, onRead, onFollow }: Props) {
  const contentRef = useRef<HTMLElement>(null)
  const { type, title, content, created_at, topic } = notification
  const Icon = ICONS[type]
  const href = notificationHref(notification)
  const text = (
    <>
      <b dir="auto">
        <span className="sr">
          {TYPE_NAMES[type]}
          {isRead ? ': ' : ', sin leer: '}
        </span>
        {title}
      </b>
      <span dir="auto">{content}</span>
      <time dateTime={new Date(created_at).toISOString()} title={formatDate(created_at)}>
        {formatRelative(created_at, now)}
      </time>
    </>
  )
  const follow = () => {
    if (!isRead) onRead()
    onFollow()
  }
  const markRead = () => {
    // The dot disappears, so the focus moves to its notification.
    contentRef.current?.focus()
    onRead()
  }
  return (
    <li className={isRead ? 'nt' : 'nt un'} data-type={type} data-new={isNew || undefined}>
      <span className="ni" aria-hidden="true">
        <Icon />
      </span>
      {href ? (
        <a
          ref={contentRef as React.Ref<HTMLAnchorElement>}
          className="grow soft breaks nt-words"
          href={href}
          onClick={follow}
          onAuxClick={(event) => event.button === 1 && !isRead && onRead()}
        >
          {text}
        </a>
      ) : (
        <div ref={contentRef as React.Ref<HTMLDivElement>} className="grow soft breaks nt-words" tabIndex={-1}>
          {text}
        </div>
      )}
      {topic === 'memory' && (
        <form className="nt-stop" method="post" action={MEMORIES_API}>
          <button type="submit" className="btn ghost" aria-label={`${STOP_MEMORIES}: ${title}`}>
            {STOP_MEMORIES}
          </button>
        </form>
      )}
      {!isRead && (
        <button
          type="button"
          className="rd"
          aria-label={`Marcar como leída: ${title}`}
          title="Marcar como leída"
          onClick={markRead}
        >
          <i />
        </button>
      )}
    </li>
  )
}
