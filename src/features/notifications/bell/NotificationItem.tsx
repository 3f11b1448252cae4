import { Bell, Heart, MessageCircle } from 'lucide-react'
import { useRef } from 'react'
import { formatDate, formatRelative } from '#lib/dates.ts'
import { notificationHref, TYPE_NAMES } from './bell.ts'
import type { Notification } from '#features/notifications/notifications.ts'

const ICONS = { comment: MessageCircle, like: Heart, other: Bell }

interface Props {
  line: Notification
  isRead: boolean
  /** It came while the list was being looked at. */
  isNew: boolean
  now: number
  onRead: () => void
  onFollow: () => void
}

/** One line of the panel. Following it reads it; so does its dot. */
export function NotificationItem({ line, isRead, isNew, now, onRead, onFollow }: Props) {
  const words = useRef<HTMLElement>(null)
  const { type, title, content, created_at } = line
  const Icon = ICONS[type]
  const href = notificationHref(line)
  const text = (
    <>
      <b>
        <span className="sr">
          {TYPE_NAMES[type]}
          {isRead ? ': ' : ', sin leer: '}
        </span>
        {title}
      </b>
      <span>{content}</span>
      <time dateTime={new Date(created_at).toISOString()} title={formatDate(created_at)}>
        {formatRelative(created_at, now)}
      </time>
    </>
  )
  const follow = () => {
    if (!isRead) onRead()
    onFollow()
  }
  const read = () => {
    // The dot goes; the focus stays with its line.
    words.current?.focus()
    onRead()
  }
  return (
    <li className={isRead ? 'nt' : 'nt un'} data-type={type} data-new={isNew || undefined}>
      <span className="ni" aria-hidden="true">
        <Icon />
      </span>
      {href ? (
        <a
          ref={words as React.Ref<HTMLAnchorElement>}
          className="nt-words"
          href={href}
          onClick={follow}
          onAuxClick={(event) => event.button === 1 && !isRead && onRead()}
        >
          {text}
        </a>
      ) : (
        <div ref={words as React.Ref<HTMLDivElement>} className="nt-words" tabIndex={-1}>
          {text}
        </div>
      )}
      {!isRead && (
        <button
          type="button"
          className="rd"
          aria-label={`Marcar como leída: ${title}`}
          title="Marcar como leída"
          onClick={read}
        >
          <i />
        </button>
      )}
    </li>
  )
}
