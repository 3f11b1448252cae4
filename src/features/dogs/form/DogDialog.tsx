import { LoaderCircle, TriangleAlert, X } from 'lucide-react'
import {
  type FormEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { Honeypot } from '#ui/Honeypot.tsx'
import { useDetection } from './detection/useDetection.client.ts'
import { useDogForm } from './dog-form.client.ts'
import { DogFields, LateFields } from './fields/DogFields.tsx'
import { FormFooter } from './FormFooter.tsx'
import type { FormRequest } from './form-state.ts'
import { useGivenFiles } from './photos/given-files.client.ts'
import { PhotoGallery } from './photos/PhotoGallery.tsx'

// Without its code «Volver» leads to the list of breeds.
const BreedQuestion = lazy(() => import('./BreedQuestion.tsx').catch(() => ({ default: () => null })))
// Most sites have no detection, and no visit needs its panel before there is a photo.
const BreedDetection = lazy(() => import('./detection/BreedDetection.tsx').catch(() => ({ default: () => null })))

interface Props {
  request: FormRequest
  onClosed: () => void
  /** Opens the form again, after it could not be loaded. */
  onRetry: () => void
}

/** The add / edit dialog: a modal <dialog>, which traps the focus and returns it. */
export function DogDialog({ request, onClosed, onRetry }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [isConfirmingClose, setConfirmingClose] = useState(false)
  const close = () => dialog.current?.close()
  const form = useDogForm(request, close)
  const { phase, mode, values, errors, focus } = form
  const detection = useDetection(form)
  const isBusy = phase === 'saving' || phase === 'saved'
  const givenFiles = useGivenFiles(phase === 'editing', form.gallery.add)

  useModal(dialog)
  useEffect(() => document.getElementById(`df-${focus.field}`)?.focus(), [focus])
  useUnloadWarning(phase === 'saving' || !form.isSafeToClose)

  /** Closes at once, since the draft stays, unless the device could not store it: then the footer asks first. */
  const leave = () => {
    if (isBusy) return
    if (form.isSafeToClose || isConfirmingClose) close()
    else setConfirmingClose(true)
  }
  /** From the question of the breed one step back leads to the fields. */
  const goBack = form.isAsking && !isConfirmingClose ? form.stopAsking : leave
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const answer = submitter instanceof HTMLButtonElement ? submitter.value : ''
    if (answer) form.set({ breed: answer })
    setConfirmingClose(false)
    // Emptied after reading: if a browser filled it in, the second press succeeds. A press that asks for the breed sends nothing yet.
    const honeypot = event.currentTarget.elements.namedItem(HONEYPOT_FIELD) as HTMLInputElement | null
    const filledIn = honeypot?.value ?? ''
    if (honeypot && (answer || values.breed)) honeypot.value = ''
    void form.submit(filledIn)
  }

  return (
    <dialog
      ref={dialog}
      className="dlg df"
      aria-labelledby={titleId}
      aria-busy={phase === 'saving'}
      data-dialog-firm
      // Set until the dialog closes: a new version must not reload the page under the confirmation.
      data-unsaved={form.isUnsaved || phase === 'saved' || undefined}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        goBack()
      }}
      onClose={(event) => event.target === event.currentTarget && onClosed()}
      {...givenFiles}
    >
      <header className="row dlg-head">
        <h2 id={titleId}>{mode === 'add' ? 'Añadir perro' : 'Editar perro'}</h2>
        <button type="button" className="btn icon ghost" aria-label="Cerrar" onClick={leave} disabled={isBusy}>
          <X aria-hidden />
        </button>
      </header>
      {phase === 'loading' && (
        <p className="soft row wrap df-wait" role="status">
          <LoaderCircle aria-hidden className="spin" />
          {mode === 'add' ? 'Cargando…' : 'Cargando perro...'}
        </p>
      )}
      {phase === 'unavailable' && (
        <p className="soft row wrap df-wait err" role="alert">
          <TriangleAlert aria-hidden />
          <span>{errors.form}</span>
          <button type="button" className="btn" onClick={onRetry}>
            Reintentar
          </button>
        </p>
      )}
      {(phase === 'editing' || isBusy) && (
        <form noValidate onSubmit={submit}>
          <div className="df-scroll" data-scroll>
            {form.isRecovered && !isBusy && !form.isAsking && (
              <p className="row wrap df-draft" role="status">
                <span>Borrador recuperado</span>
                <span aria-hidden>·</span>
                <button type="button" onClick={form.discard}>
                  Descartar
                </button>
              </p>
            )}
            {form.isAsking && (
              <Suspense>
                <BreedQuestion detected={detection.offered} photo={form.photos[0]?.src} search={form.stopAsking} />
              </Suspense>
            )}
            <div className="df-cols" inert={isBusy} hidden={form.isAsking}>
              <div className="df-left">
                <PhotoGallery form={form} disabled={isBusy} />
                <Suspense>{detection.isAvailable && <BreedDetection detection={detection} />}</Suspense>
              </div>
              <DogFields form={form} suggested={detection.breed} />
              <LateFields form={form} />
            </div>
          </div>
          {mode === 'add' && <Honeypot id="df-hueso" />}
          <FormFooter
            form={form}
            isConfirmingClose={isConfirmingClose}
            leave={goBack}
            stay={() => setConfirmingClose(false)}
          />
        </form>
      )}
    </dialog>
  )
}

/** Opens the dialog, and gives the focus back to what opened it. */
function useModal(dialog: RefObject<HTMLDialogElement | null>) {
  useLayoutEffect(() => {
    const element = dialog.current!
    // The loading frame has animated already: no second entrance.
    element.toggleAttribute('data-framed', closeFrame())
    const opener = document.activeElement
    element.showModal()
    return () => {
      element.close()
      // React removes the element before the browser has returned the focus.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [dialog])
}

/** Closes the loading frame that stood in for the form; true when it was open. The focus returns to what opened it. */
function closeFrame(): boolean {
  const frame = document.querySelector<HTMLDialogElement>('dialog.df-frame')
  if (!frame?.open) return false
  frame.close()
  return true
}

/** Makes the browser confirm leaving the page while unsaved input would be lost. */
function useUnloadWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
