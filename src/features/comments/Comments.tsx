import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { explainError } from '#lib/error-text.ts'
import { CommentForm, Problem } from './CommentForm.tsx'
import { CommentItem } from './CommentItem.tsx'
import { $commentEvents, loadNewestComments, loadOlderComments, removeComment, sendComment } from './comments.client.ts'
import { commentCount, type CommentPage } from './comments.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
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
  /** The signed-in member; null for a visitor. */
  me: { id: string; emoji: string } | null
}

/** The comments island: readable without script, hydrated at the first interaction with it (client:interaction). */
export default function Comments({ dogId, start, count, me }: Props) {
  const root = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const [thread, setThread] = useState(() => startThread(start, count))
  const [announcement, setAnnouncement] = useState({ text: '', turn: 0 })
  const [deletingId, setDeletingId] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { comments, nextCursor, total } = thread

  useEffect(() => void root.current?.dispatchEvent(new CustomEvent('island:ready', { bubbles: true })), [])
  // The link to the comments shows their number, too, and is outside the island.
  useEffect(() => {
    for (const element of document.querySelectorAll('[data-comment-count]')) element.textContent = commentCount(total)
  }, [total])

  // Events from before hydration, then new ones. None of them changes the text in the form.
  useEffect(() => {
    let processed = 0
    return $commentEvents.subscribe((events) => {
      const newEvents = events.slice(processed)
      processed = events.length
      for (const event of newEvents) {
        if (event === 'resync') {
          loadNewestComments(dogId).then(
            ({ page, total }) => setThread((now) => refreshThread(now, page, total)),
            console.error,
          )
          continue
        }
        // The focused element is removed together with its comment.
        const item = root.current?.querySelector(`[data-comment="${event.id}"]`)
        if (event.action === 'removed' && item?.contains(document.activeElement)) title.current?.focus()
        const { comment } = event
        if (comment && !item && comment.user_id !== me?.id)
          setAnnouncement(({ turn }) => ({ text: `Nuevo comentario de ${comment.alias}`, turn: turn + 1 }))
        setThread((now) => applyCommentEvent(now, event))
      }
    })
  }, [dogId, me?.id])

  const announce = (text: string) => setAnnouncement(({ turn }) => ({ text, turn: turn + 1 }))
  const send = async (content: string) => {
    const comment = await sendComment(dogId, content, me?.id)
    announce('Comentario publicado')
    setThread((now) => withComment(now, comment))
  }
  const remove = async (id: string) => {
    setDeletingId(null)
    setProblem(null)
    try {
      await removeComment(id)
      setThread((now) => withoutComment(now, id))
      // The focused button was removed.
      title.current?.focus()
      announce('Comentario eliminado')
    } catch (error) {
      setProblem(explainError(error))
    }
  }
  const loadOlder = async () => {
    if (isLoading || !nextCursor) return
    setLoading(true)
    setProblem(null)
    try {
      const older = await loadOlderComments(dogId, nextCursor)
      const before = comments.length
      flushSync(() => setThread((now) => withOlderPage(now, older)))
      const added = root.current?.querySelectorAll('.comment') ?? []
      announce(added.length - before === 1 ? '1 comentario más' : `${added.length - before} comentarios más`)
      // The new comments are above the button, which may be gone.
      added[before]?.querySelector('a')?.focus({ preventScroll: true })
    } catch (error) {
      setProblem(explainError(error))
    }
    setLoading(false)
  }

  return (
    <section ref={root} className="talk" id="comentarios" data-talk={dogId} aria-labelledby="comentarios-titulo">
      <h2 ref={title} id="comentarios-titulo" tabIndex={-1}>
        Comentarios <span className="num">{total}</span>
      </h2>
      <CommentForm dogId={dogId} me={me} onSend={send} />
      {comments.length === 0 && <p className="soft">Todavía nadie ha comentado.</p>}
      <p className="sr" role="status">
        <span key={announcement.turn}>{announcement.text}</span>
      </p>
      <ul>
        {comments.map((comment) => (
          <CommentItem key={comment.id} comment={comment} readerId={me?.id ?? null} onDelete={setDeletingId} />
        ))}
      </ul>
      {problem && <Problem text={problem} />}
      {nextCursor && (
        <button type="button" className="btn older" aria-disabled={isLoading} aria-busy={isLoading} onClick={loadOlder}>
          Ver más
        </button>
      )}
      {deletingId && comments.some(({ id }) => id === deletingId) && (
        <DeleteDialog onCancel={() => setDeletingId(null)} onDelete={() => void remove(deletingId)} />
      )}
    </section>
  )
}
