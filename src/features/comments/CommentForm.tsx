import { ArrowUp, LoaderCircle, TriangleAlert } from 'lucide-react'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { countCharacters } from '#lib/text/text.ts'
import { paths } from '#lib/paths.ts'
import { explainError } from '#lib/error-text.ts'
import { COMMENT_LIMIT, commentProblem, tidyComment } from './comments.ts'

interface Props {
  dogId: string
  me: { id: string; emoji: string } | null
  /** Rejects with the sentence to show. */
  onSend: (content: string) => Promise<void>
}

/** The form for a member; a visitor's leads to the sign-in, after which their comment is sent. The field keeps its text until the server has stored it. */
export function CommentForm({ dogId, me, onSend }: Props) {
  // Uncontrolled: text typed before hydration must stay.
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  useLayoutEffect(() => setText(field.current?.value ?? ''), [])

  if (!me)
    return (
      <form className="comp" method="post" action={paths.api.intent}>
        <input type="hidden" name="id" value={dogId} />
        <div className="box grow">
          <textarea name="text" aria-label="Tu comentario" placeholder="Escribe un comentario…" rows={2} />
          <div className="row">
            <button className="btn" name="act" value="comment">
              Únete para comentar
            </button>
          </div>
        </div>
      </form>
    )

  const content = tidyComment(text)
  const invalidReason = commentProblem(content)
  const problem = content ? (invalidReason ?? refusal) : refusal
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (invalidReason) return field.current!.focus()
    // The button is disabled until there is text again, and a disabled button loses the keyboard's focus.
    const hadKeyboardFocus = document.activeElement?.matches('button:focus-visible')
    setBusy(true)
    setRefusal(null)
    try {
      await onSend(content)
      field.current!.value = ''
      growToFit(field.current!)
      setText('')
    } catch (error) {
      setRefusal(explainError(error))
    }
    setBusy(false)
    if (hadKeyboardFocus) field.current!.focus()
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
              growToFit(event.currentTarget)
              setText(event.currentTarget.value)
              setRefusal(null)
            }}
          />
          <div className="row">
            <span className="num" id="comentario-cuenta" data-over={invalidReason && content ? '' : undefined}>
              {countCharacters(content)}/{COMMENT_LIMIT}
            </span>
            {/* Above the limit it stays focusable: pressed by key, it returns to the field, which has the reason. */}
            <button
              type="submit"
              className="btn pri"
              disabled={isBusy || !content}
              aria-disabled={invalidReason !== null}
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

/** Makes a field as high as its text where the engine lacks `field-sizing`: Safari before 26.2. comments.css bounds it. */
function growToFit(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.height = ''
  field.style.height = `${field.scrollHeight}px`
}

/** An error message; `role="alert"` has screen readers announce it at once. */
export function Problem({ text, id }: { text: string; id?: string }) {
  return (
    <p className="err" role="alert" id={id}>
      <TriangleAlert aria-hidden="true" />
      {text}
    </p>
  )
}
