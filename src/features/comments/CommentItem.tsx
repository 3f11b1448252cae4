import { Flag, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { HIDDEN_LABEL, PENDING_REVIEW_LABEL } from '#features/moderation/moderation.ts'
import { formatDate, formatRelative } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import { collapseBreaks } from '#lib/text/normalise.ts'
import type { Comment } from './comments.ts'

interface Props {
  comment: Comment
  /** Null for a visitor. */
  readerId: string | null
  onDelete: (id: string) => void
}

/**
 * One comment. React escapes its text, so pasted HTML shows as typed. A member's page has both buttons, and comments.css shows the one that
 * `data-own` names: pages composed for a member fill in that alone (src/app/page-cache), so that it stands behind its author.
 */
export function CommentItem({ comment, readerId, onDelete }: Props) {
  const { id, user_id, alias, emoji, content, created_at, held } = comment
  const own = readerId !== null && { 'data-by': user_id, 'data-own': user_id === readerId ? 1 : 0 }
  return (
    <li className="comment" data-comment={id} {...own}>
      <span className="ava" aria-hidden="true">
        {emoji}
      </span>
      <div className="grow">
        <p className="by">
          <a href={paths.member(user_id)}>
            <bdi>{alias}</bdi>
          </a>{' '}
          <RelativeTime time={created_at} />
        </p>
        <p className="text" dir="auto">
          {collapseBreaks(content)}
        </p>
        {held && <p className="waits">{held === 'waits' ? PENDING_REVIEW_LABEL : HIDDEN_LABEL}</p>}
      </div>
      {readerId !== null && (
        <button
          type="button"
          className="btn icon ghost"
          aria-label="Eliminar comentario"
          data-delete=""
          onClick={() => onDelete(id)}
        >
          <X aria-hidden="true" />
        </button>
      )}
      <a
        className="btn icon ghost flag"
        href={paths.report('comentario', id)}
        rel="nofollow"
        aria-label={`Denunciar el comentario de ${alias}`}
        data-report=""
      >
        <Flag aria-hidden="true" />
      </a>
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
