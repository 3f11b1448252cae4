import Link from 'next/link'
import { formatDate } from '../lib/texts.js'
import { MoreComments } from './MoreComments.jsx'

export function Comments({ comments, count }) {
  return (
    <section className="talk" id="comentarios" aria-labelledby="comentarios-titulo">
      <h2 id="comentarios-titulo" tabIndex={-1}>
        Comentarios <span className="num">{count}</span>
      </h2>
      <p className="join-talk">
        <Link className="btn" href="/login">
          Únete para comentar
        </Link>
      </p>
      {count === 0 && <p className="soft">Todavía nadie ha comentado.</p>}
      <ul>
        {comments.rows.map(({ id, user_id, alias, emoji, content, created_at }) => (
          <li key={id} className="comment">
            <span className="ava" aria-hidden="true">
              {emoji}
            </span>
            <div className="grow">
              <p className="by">
                <Link href={`/usuario/${user_id}`}>{alias}</Link>{' '}
                <time dateTime={new Date(created_at).toISOString()}>{formatDate(created_at)}</time>
              </p>
              <p className="said">{content}</p>
            </div>
          </li>
        ))}
      </ul>
      {comments.more && <MoreComments />}
    </section>
  )
}
