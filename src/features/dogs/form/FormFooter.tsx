import { Check, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { paths } from '#lib/paths.ts'
import type { DogFormView } from './dog-form.client.ts'

interface Props {
  form: DogFormView
  /** True while the footer asks whether to close and lose a draft that could not be stored. */
  isConfirmingClose: boolean
  leave: () => void
  stay: () => void
}

/** «Cancelar» has become «Cerrar sin guardar» under the pointer: the focus moves away, so that a second press is safe. */
const focusOnMount = (button: HTMLElement | null) => button?.focus()

/** Errors of the whole form, progress and the two buttons. */
export function FormFooter({ form, isConfirmingClose, leave, stay }: Props) {
  const { phase, mode, errors, progress } = form
  const isSaving = phase === 'saving'
  const isSaved = phase === 'saved'
  const isNew = mode === 'add'
  const doneLabel = form.isQueued ? 'Guardado' : isNew ? 'Perro añadido' : 'Cambios guardados'
  const cancelButton = useRef<HTMLButtonElement>(null)
  const keepEditing = () => {
    // The focused button disappears with the question.
    cancelButton.current?.focus()
    stay()
  }
  return (
    <footer className="row df-foot">
      {isSaving && (
        <div
          className="meter"
          role="progressbar"
          aria-label="Subiendo fotos"
          aria-valuenow={Math.round(progress * 100)}
        >
          <i className="done" style={{ width: `${progress * 100}%` }} />
        </div>
      )}
      <div className="grow df-says">
        <div role="alert">
          {errors.form && (
            <p className="err">
              <TriangleAlert aria-hidden />
              <span>{errors.form}</span>
            </p>
          )}
          {form.isSignedOut && (
            <p className="df-again">
              Tu sesión ha terminado. Lo que has escrito se queda guardado en este dispositivo:{' '}
              <a href={paths.login}>inicia sesión</a> y vuelve a abrir el formulario.
            </p>
          )}
          {isConfirmingClose && (
            <p className="err">
              <TriangleAlert aria-hidden />
              <span>No se ha podido guardar el borrador: si cierras ahora, pierdes lo que has escrito.</span>
            </p>
          )}
        </div>
        <p role="status" className="soft df-progress">
          {isSaving && (progress < 1 ? `Subiendo… ${Math.round(progress * 100)} %` : 'Guardando…')}
          {isSaved && form.message}
        </p>
      </div>
      <div className="df-buttons">
        <button type="button" className="btn" onClick={leave} disabled={phase !== 'editing'} ref={cancelButton}>
          {isConfirmingClose ? 'Cerrar sin guardar' : form.isAsking ? 'Volver' : 'Cancelar'}
        </button>
        {isConfirmingClose ? (
          <button type="button" className="btn pri" onClick={keepEditing} ref={focusOnMount}>
            Seguir editando
          </button>
        ) : form.isAsking ? null : (
          <button
            // An element of its own: the press that answers the question must not submit the form.
            key="submit"
            type="submit"
            className={isSaved ? 'btn ok' : 'btn pri'}
            disabled={phase !== 'editing'}
            aria-busy={isSaving}
          >
            {isSaved && <Check aria-hidden />}
            {isSaving && <LoaderCircle aria-hidden className="spin" />}
            {isSaved ? doneLabel : isSaving ? 'Guardando…' : isNew ? 'Añadir perro' : 'Guardar cambios'}
          </button>
        )}
      </div>
    </footer>
  )
}
