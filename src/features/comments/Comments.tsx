import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CommentForm } from './CommentForm.tsx'
import { CommentItem } from './CommentItem.tsx'
import { loadNewestComments, loadOlderComments, removeComment, sendComment } from './comments.client.ts'
import { $commentEvents } from './comments.store.ts'
import { commentCount, type CommentPage } from './comments.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { Problem } from './Problem.tsx'
import {
  applyCommentEvent,
  refreshThread,
  startThread,
  withComment,
  withOlderPage,
  withoutComment,
} from './comment-thread.ts'
import './comments.css'

interface Props {
  dogId: string
  /** The first page, from the server. */
  start: CommentPage
  count: number
  /** Who is looking; null for a visitor. */
  me: { id: string; emoji: string } | null
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The island: reads without script, wakes at the first sign of interest (client:interaction). */
export default function Comments({ dogId, start, count, me }: Props) {
  const root = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const [talk, setTalk] = useState(() => startThread(start, count))
  const [news, setNews] = useState({ text: '', turn: 0 })
  const [asked, setAsked] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { comments, nextCursor, total } = talk

  useEffect(() => void root.current?.dispatchEvent(new CustomEvent('island:ready', { bubbles: true })), [])
  // The button that leads here counts along; it stands outside the island.
  useEffect(() => {
    for (const element of document.querySelectorAll('[data-comment-count]')) element.textContent = commentCount(total)
  }, [total])

  // What was heard before the island woke, then whatever comes. Nothing of it touches what somebody is writing.
  useEffect(() => {
    let seen = 0
    return $commentEvents.subscribe((heard) => {
      const fresh = heard.slice(seen)
      seen = heard.length
      for (const event of fresh) {
        if (event === 'resync') {
          loadNewestComments(dogId).then(
            ({ page, total }) => setTalk((now) => refreshThread(now, page, total)),
            console.error,
          )
          continue
        }
        // The button that has the focus goes with its comment.
        const item = root.current?.querySelector(`[data-comment="${event.id}"]`)
        if (event.action === 'removed' && item?.contains(document.activeElement)) title.current?.focus()
        const { comment } = event
        if (comment && !item && comment.user_id !== me?.id)
          setNews(({ turn }) => ({ text: `Nuevo comentario de ${comment.alias}`, turn: turn + 1 }))
        setTalk((now) => applyCommentEvent(now, event))
      }
    })
  }, [dogId, me?.id])

  const tell = (text: string) => setNews(({ turn }) => ({ text, turn: turn + 1 }))
  const send = async (content: string) => {
    const comment = await sendComment(dogId, content)
    tell(comment.held ? 'Comentario en revisión' : 'Comentario publicado')
    setTalk((now) => withComment(now, comment))
  }
  const remove = async (id: string) => {
    setAsked(null)
    setProblem(null)
    try {
      await removeComment(id)
      setTalk((now) => withoutComment(now, id))
      // The button that had the focus is gone.
      title.current?.focus()
      tell('Comentario eliminado')
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  const loadOlder = async () => {
    if (isLoading || !nextCursor) return
    setLoading(true)
    setProblem(null)
    try {
      const older = await loadOlderComments(dogId, nextCursor)
      const before = comments.length
      flushSync(() => setTalk((now) => withOlderPage(now, older)))
      const added = root.current?.querySelectorAll('.comment') ?? []
      tell(added.length - before === 1 ? '1 comentario más' : `${added.length - before} comentarios más`)
      // They stand above the button, which may be gone.
      added[before]?.querySelector('a')?.focus({ preventScroll: true })
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setLoading(false)
  }

  return (
    <section ref={root} className="talk" id="comentarios" data-talk={dogId} aria-labelledby="comentarios-titulo">
      <h2 ref={title} id="comentarios-titulo" tabIndex={-1}>
        Comentarios <span className="num">{total}</span>
      </h2>
      <CommentForm me={me} onSend={send} />
      {comments.length === 0 && <p className="soft">Todavía nadie ha comentado.</p>}
      <p className="sr" role="status">
        <span key={news.turn}>{news.text}</span>
      </p>
      <ul>
        {comments.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            onDelete={comment.user_id === me?.id ? () => setAsked(comment.id) : undefined}
          />
        ))}
      </ul>
      {problem && <Problem text={problem} />}
      {nextCursor && (
        <button type="button" className="btn older" aria-disabled={isLoading} aria-busy={isLoading} onClick={loadOlder}>
          Ver más
        </button>
      )}
      {asked && comments.some(({ id }) => id === asked) && (
        <DeleteDialog onCancel={() => setAsked(null)} onDelete={() => void remove(asked)} />
      )}
    </section>
  )
}
