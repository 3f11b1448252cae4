import { useEffect, useRef, useState } from 'react'
import { CommentForm } from './CommentForm.tsx'
import { CommentItem } from './CommentItem.tsx'
import { olderComments, removeComment, sendComment } from './comments.client.ts'
import { commentCount, type CommentPage } from './comments.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { Problem } from './Problem.tsx'
import './comments.css'

interface Props {
  dogId: string
  /** The first page, from the server. */
  start: CommentPage
  count: number
  /** Who is looking; null for a visitor. */
  me: { id: string; emoji: string } | null
}

const said = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The island: reads without script, wakes at the first sign of interest (client:interaction). */
export default function Comments({ dogId, start, count, me }: Props) {
  const root = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const [page, setPage] = useState(start)
  const [total, setTotal] = useState(count)
  const [asked, setAsked] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { comments, nextCursor } = page

  useEffect(() => void root.current?.dispatchEvent(new CustomEvent('island:ready', { bubbles: true })), [])
  // The button that leads here counts along; it stands outside the island.
  useEffect(() => {
    for (const element of document.querySelectorAll('[data-comment-count]')) element.textContent = commentCount(total)
  }, [total])

  const send = async (content: string) => {
    const comment = await sendComment(dogId, content)
    setPage((now) => ({ ...now, comments: [comment, ...now.comments] }))
    setTotal((now) => now + 1)
  }
  const remove = async (id: string) => {
    setAsked(null)
    setProblem(null)
    try {
      await removeComment(id)
      setPage((now) => ({ ...now, comments: now.comments.filter((comment) => comment.id !== id) }))
      setTotal((now) => now - 1)
      // The button that had the focus is gone.
      title.current?.focus()
    } catch (error) {
      setProblem(said(error))
    }
  }
  const loadOlder = async () => {
    if (isLoading || !nextCursor) return
    setLoading(true)
    setProblem(null)
    try {
      const older = await olderComments(dogId, nextCursor)
      setPage((now) => ({ ...older, comments: [...now.comments, ...older.comments] }))
    } catch (error) {
      setProblem(said(error))
    }
    setLoading(false)
  }

  return (
    <section ref={root} className="talk" id="comentarios" aria-labelledby="comentarios-titulo">
      <h2 ref={title} id="comentarios-titulo" tabIndex={-1}>
        Comentarios <span className="num">{total}</span>
      </h2>
      <CommentForm me={me} onSend={send} />
      {comments.length === 0 && <p className="soft">Todavía nadie ha comentado.</p>}
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
      {asked && <DeleteDialog onCancel={() => setAsked(null)} onDelete={() => void remove(asked)} />}
    </section>
  )
}
