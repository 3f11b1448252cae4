import { ArrowUp, LoaderCircle } from 'lucide-react'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { countCharacters } from '#lib/text/text.ts'
import { paths } from '#lib/paths.ts'
import { COMMENT_LIMIT, commentProblem, tidyComment } from './comments.ts'
import { Problem } from './Problem.tsx'

interface Props {
  me: { id: string; emoji: string } | null
  /** Rejects with the sentence to show. */
  onSend: (content: string) => Promise<void>
}

/** Where a member writes; a visitor is invited. The text leaves the field only once the server has it. */
export function CommentForm({ me, onSend }: Props) {
  // Not controlled: what was typed before the island woke must stay.
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  useLayoutEffect(() => setText(field.current?.value ?? ''), [])

  if (!me)
    return (
      <p className="join-talk">
        <a className="btn" href={paths.login}>
          Únete para comentar
        </a>
      </p>
    )

  const content = tidyComment(text)
  const wrong = commentProblem(content)
  const problem = content ? (wrong ?? refusal) : refusal
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (wrong) return field.current!.focus()
    // It rests until something is written, and would take a keyboard's focus with it.
    const isByKey = document.activeElement?.matches('button:focus-visible')
    setBusy(true)
    setRefusal(null)
    try {
      await onSend(content)
      field.current!.value = ''
      setText('')
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
    if (isByKey) field.current!.focus()
  }

  return (
    <form className="comp" onSubmit={submit} aria-busy={isBusy} data-unsaved={content ? '' : undefined}>
      <span className="ava" aria-hidden="true">
        {me.emoji}
      </span>
      <div className="grow">
        <div className="box">
          <label className="sr" htmlFor="comentario-texto">
            Tu comentario
          </label>
          <textarea
            ref={field}
            id="comentario-texto"
            placeholder="Escribe un comentario…"
            rows={2}
            readOnly={isBusy}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'comentario-cuenta comentario-error' : 'comentario-cuenta'}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setRefusal(null)
            }}
          />
          <div className="row">
            <span className="num" id="comentario-cuenta" data-over={wrong && content ? '' : undefined}>
              {countCharacters(content)}/{COMMENT_LIMIT}
            </span>
            {/* Over the limit it stays a stop for Tab: whoever comes to it by key goes back to the field, which says why. */}
            <button
              type="submit"
              className="btn pri"
              disabled={isBusy || !content}
              aria-disabled={wrong !== null}
              aria-busy={isBusy}
            >
              {isBusy ? <LoaderCircle className="spin" aria-hidden="true" /> : <ArrowUp aria-hidden="true" />}
              Enviar
            </button>
          </div>
        </div>
        {problem && <Problem text={problem} id="comentario-error" />}
      </div>
    </form>
  )
}
