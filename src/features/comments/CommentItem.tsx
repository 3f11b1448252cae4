import { Flag, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { HIDDEN_LABEL, PENDING_REVIEW_LABEL } from '#features/moderation/moderation.ts'
import { formatDate, formatRelative } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import type { Comment } from './comments.ts'

interface Props {
  comment: Comment
  /** Given for the reader's own comments only. */
  onDelete?: (() => void) | undefined
}

/** One comment. React escapes its text, so pasted HTML shows as typed. */
export function CommentItem({ comment, onDelete }: Props) {
  const { id, user_id, alias, emoji, content, created_at, held } = comment
  return (
    <li className="comment" data-comment={id}>
      <span className="ava" aria-hidden="true">
        {emoji}
      </span>
      <div className="grow">
        <p className="by">
          <a href={paths.member(user_id)}>{alias}</a> <RelativeTime time={created_at} />
        </p>
        <p className="text">{content}</p>
        {held && <p className="waits">{held === 'waits' ? PENDING_REVIEW_LABEL : HIDDEN_LABEL}</p>}
      </div>
      {onDelete ? (
        <button type="button" className="btn icon ghost" aria-label="Eliminar comentario" onClick={onDelete}>
          <X aria-hidden="true" />
        </button>
      ) : (
        <a
          className="btn icon ghost flag"
          href={paths.report('comentario', id)}
          rel="nofollow"
          aria-label={`Denunciar el comentario de ${alias}`}
          data-report=""
        >
          <Flag aria-hidden="true" />
        </a>
      )}
    </li>
  )
}

/** «hace 3 días». ui/time.client.ts updates it, perhaps before hydration. */
function RelativeTime({ time }: { time: number }) {
  const element = useRef<HTMLTimeElement>(null)
  useEffect(() => {
    element.current!.textContent = formatRelative(time, Date.now())
  }, [time])
  return (
    <time ref={element} dateTime={new Date(time).toISOString()} data-relative="" suppressHydrationWarning>
      {formatDate(time)}
    </time>
  )
}
