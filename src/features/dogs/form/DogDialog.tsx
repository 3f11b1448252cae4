import { LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { Honeypot } from '#ui/Honeypot.tsx'
import { defaultAlt } from '#features/dogs/photo-alt.ts'
import { DogFields, LateFields } from './fields/DogFields.tsx'
import { BreedDetection } from './detection/BreedDetection.tsx'
import { closeFrame } from './loading-frame.ts'
import { FormFooter } from './FormFooter.tsx'
import { PhotoGallery } from './photos/PhotoGallery.tsx'
import { useDetection } from './detection/useDetection.client.ts'
import { type FormRequest, useDogForm } from './useDogForm.client.ts'
import { storedBreed } from './form-values.ts'

interface Props {
  request: FormRequest
  onClosed: () => void
}

/** The add / edit dialog: the browser's own <dialog>, which keeps the focus in and gives it back. */
export function DogDialog({ request, onClosed }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [isAsking, setAsking] = useState(false)
  const close = () => dialog.current?.close()
  const form = useDogForm(request, close)
  const { phase, mode, errors } = form
  const found = useDetection(form.gallery.photos[0]?.file ?? null, form)
  const suggested = found.detection?.state === 'detected' ? found.detection.breed : null
  const { name, zone } = form.values
  const composed = defaultAlt({ name: name.trim(), breed: storedBreed(form.values) || MIXED_BREED, zone: zone.trim() })
  const isBusy = phase === 'saving' || phase === 'saved'

  useLayoutEffect(() => {
    const element = dialog.current!
    // What stood here while the code came: no second entrance.
    if (closeFrame()) element.dataset.framed = ''
    const opener = document.activeElement
    element.showModal()
    return () => {
      element.close()
      // React takes the element out before the browser has given the focus back.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  useUnloadWarning(phase === 'saving' || !form.isSafe)

  /** Closing keeps the draft, so there is nothing to ask, unless the device could not keep it. */
  const leave = () => {
    if (isBusy) return
    if (form.isSafe || isAsking) close()
    else setAsking(true)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsking(false)
    // Emptied as it is read: should a browser have filled it in, the second press goes through.
    const trap = event.currentTarget.elements.namedItem(HONEYPOT_FIELD) as HTMLInputElement | null
    const trapped = trap?.value ?? ''
    if (trap) trap.value = ''
    void form.submit(trapped)
  }

  return (
    <dialog
      ref={dialog}
      className="df"
      aria-labelledby={titleId}
      aria-busy={phase === 'saving'}
      data-dialog-firm
      // Until it closes: what the person reads or is led to after saving must not be cut short by a new version either.
      data-unsaved={form.isUnsaved || phase === 'saved' || undefined}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        leave()
      }}
      onClose={(event) => event.target === event.currentTarget && onClosed()}
      onPaste={(event) => phase === 'editing' && form.gallery.add(event.clipboardData.files)}
    >
      <header className="df-head">
        <h2 id={titleId}>{mode === 'add' ? 'Añadir perro' : 'Editar perro'}</h2>
        <button type="button" className="btn icon ghost" aria-label="Cerrar" onClick={leave} disabled={isBusy}>
          <X aria-hidden />
        </button>
      </header>
      {phase === 'loading' && (
        <p className="df-wait" role="status">
          <LoaderCircle aria-hidden className="spin" />
          {mode === 'add' ? 'Cargando…' : 'Cargando perro...'}
        </p>
      )}
      {phase === 'unavailable' && (
        <p className="df-wait err" role="alert">
          <TriangleAlert aria-hidden />
          <span>{errors.form}</span>
        </p>
      )}
      {(phase === 'editing' || isBusy) && (
        <form noValidate onSubmit={submit}>
          <div className="df-scroll" data-scroll>
            {form.isRecovered && !isBusy && (
              <p className="df-draft" role="status">
                <span>Borrador recuperado</span>
                <span aria-hidden>·</span>
                <button type="button" onClick={form.discard}>
                  Descartar
                </button>
              </p>
            )}
            <div className="df-cols" inert={isBusy}>
              <div className="df-left">
                <PhotoGallery {...form.gallery} defaultAlt={composed} error={errors.images} disabled={isBusy} />
                <BreedDetection found={found} />
              </div>
              <DogFields form={form} suggested={suggested} />
              <LateFields form={form} />
            </div>
          </div>
          {mode === 'add' && <Honeypot id="df-hueso" />}
          <FormFooter form={form} isAsking={isAsking} leave={leave} stay={() => setAsking(false)} />
        </form>
      )}
    </dialog>
  )
}

/** The browser asks before the page goes while something would be lost with it. */
function useUnloadWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
